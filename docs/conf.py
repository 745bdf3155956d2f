"""How the site is built: `sphinx-build -W docs FOLDER`; nothing is fetched, then or later."""

import sys
from importlib import import_module
from pathlib import Path

from docutils import nodes
from latex2mathml.converter import convert
from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

project = "clue_solver"
release = version = import_module("clue_solver").__version__
language = "en"
suppress_warnings = [
    "misc.highlighting_failure"
]  # what a program prints need not look like a shell
html_title = f"clue_solver {release}"
html_theme = "furo"
html_copy_source = False
html_show_copyright = False
html_show_search_summary = False  # a page opened from the file system may not read another one
html_static_path = ["static", "../clue_solver/views/static"]
html_css_files = ["design.css", "site.css"]
html_js_files = [("site.js", {"defer": ""})]
pygments_style = "a11y-light"
pygments_dark_style = "a11y-high-contrast-dark"
extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4
html_math_renderer = "mathml"
smartquotes_action = "qe"  # two hyphens are an option's


def formula(page: HTML5Translator, node: nodes.math | nodes.math_block) -> None:
    """Set a formula as MathML, which browsers draw and screen readers read by themselves."""
    if isinstance(node, nodes.math_block):
        page.body.append(f'<div class="formula">{convert(node.astext(), display="block")}</div>')
    else:
        page.body.append(convert(node.astext()))
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Set formulas as MathML, and know what a block of a record is."""
    app.add_lexer("clue", TextLexer)
    app.add_html_math_renderer("mathml", (formula, None), (formula, None))
