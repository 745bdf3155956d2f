"""How the site is built: `sphinx-build -W docs FOLDER`; nothing is fetched, then or later."""

import json
import re
import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from pygments.lexers.special import TextLexer
from sphinx.addnodes import desc_signature
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

generated = import_module("docs.generated")
schemas = import_module("docs.schemas")

project = "clue_solver"
release = version = import_module("clue_solver").__version__
language = "en"
suppress_warnings = [
    "misc.highlighting_failure",  # what a program prints need not look like a shell
    "ref.python",  # an attribute of two classes is a word in their descriptions, no reference
]
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
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_click",
]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
html_math_renderer = "mathml"
myst_heading_anchors = 4
smartquotes_action = "qe"  # two hyphens are an option's
default_role = "code"  # docstrings mark code as Markdown does
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_class_signature = "mixed"
python_maximum_signature_line_length = 110
toc_object_entries_show_parents = "hide"
napoleon_use_ivar = True
napoleon_numpy_docstring = False
python_use_unqualified_type_names = True


def skipped(
    _app: Sphinx, _what: str, _name: str, member: object, skip: bool, _options: object
) -> bool:
    """Leave out the fields of rows, which stand under their class already."""
    return skip or (getattr(member, "__doc__", None) or "").startswith("Alias for field number")


def signature(_app: Sphinx, what: str, _name: str, value: Any, *_: object) -> object:
    """Give no signature to what the program alone makes: its fields stand under it."""
    return ("", None) if what == "class" and generated.is_made(value) else None


def description(
    _app: Sphinx, _what: str, _name: str, value: Any, _options: object, lines: list[str]
) -> None:
    """Give each of several names that are told of together an entry, and add what is generated."""
    for at, line in reversed([*enumerate(lines)]):
        if together := re.match(r"    ((?:\w+, )+)(\w+): ", line):
            *others, _ = together[1].split(", ")
            lines[at] = line.replace(together[1], "", 1)
            told = line[together.end() :] if line.endswith(".") else f"See `{together[2]}`."
            lines[at:at] = [f"    {name}: {told}" for name in others]
    lines += generated.met(value)


def untold(_app: Sphinx, _domain: str, kind: str, content: nodes.Element) -> None:
    """Keep members out of the table of contents, which names classes and functions."""
    if kind in ("method", "property", "attribute") and content.parent is not None:
        for each in content.parent.findall(desc_signature):
            each["_toc_name"] = ""


def formula(page: HTML5Translator, node: nodes.math | nodes.math_block) -> None:
    """Set a formula as MathML, which browsers draw and screen readers read by themselves."""
    if isinstance(node, nodes.math_block):
        page.body.append(f'<div class="formula">{convert(node.astext(), display="block")}</div>')
    else:
        page.body.append(convert(node.astext()))
    raise nodes.SkipNode


FOR_ALL = (
    (r'(<dt class="field-\w+")>Variables', r"\1>Attributes"),
    (r'(<p class="caption" role="heading")>', r'\1 aria-level="2">'),
    (r"<pre>", '<pre tabindex="0">'),
    (r'(<div class="table-wrapper[^"]*")>', r'\1 tabindex="0" role="group" aria-label="table">'),
    (r'(<div class="formula")>', r'\1 tabindex="0" role="group" aria-label="formula">'),
    (r'(<p class="picture")', r'\1 tabindex="0" role="group" aria-label="picture"'),
    (r'(?<!</h1>)(<div id="search-results">)', r"<h1>Search</h1>\1"),
    (r'(<aside class="sidebar-drawer")>', r'\1 aria-label="all pages">'),
    (r'(<aside class="toc-drawer[^"]*")>', r'\1 aria-label="on this page">'),
    (r"(<td[^>]*><p)(>(?:[^<]{1,14}|[-+\d][^<]{0,22})</p></td>)", r'\1 class="short"\2'),
    (r"([>)]) -- ", r"\1 &#8211; "),
    (r'<dl>(?=\n<dd><em class="sig-param">)', '<span class="given">'),
    (r'<dd>(<em class="sig-param">.*)</dd>', r"<span>\1</span>"),
    (r'</dl>(?=\s*<span class="sig-paren">)', "</span>"),
    (r"<th( [^>]*)?><p></p></th>", r"<td\1></td>"),
    (r"(<td[^>]*><p)(>[^<]{24})", r'\1 class="long"\2'),
    (r"(\w\[\]\.)(?=\w)", r"\1<wbr>"),  # where the way to a key of JSON may be broken
)
"""What the theme leaves out for no mouse, no eyes or a small screen: patterns, what to write."""


PICTURE = re.compile(r'<p>(<img [^>]*src="([^"]+\.svg)")')
LETTERS, COLUMN = 11, 1.09
"""The height of a picture's letters in pixels; a chart is no larger than this, to fit the page."""


def readable(page: Path, picture: re.Match[str]) -> str:
    """Return a drawn picture, no smaller than its letters can be read: it scrolls by itself."""
    svg = Path(page.parent, picture[2]).read_text("utf-8")
    width = re.search(r'viewBox="0 0 ([\d.]+)', svg)
    letters = re.search(r"font-size: ([\d.]+)px", svg)
    if not width or not letters:
        return picture[0]
    least = float(width[1]) * min(LETTERS / float(letters[1]), COLUMN)
    return f'<p class="picture">{picture[1]} style="min-width: {least:.0f}px"'


def finished(app: Sphinx, error: Exception | None) -> None:
    """Write the schemas, and on every page what is needed to reach by keys whatever scrolls."""
    folder = Path(app.outdir, "reference", "schemas")
    folder.mkdir(parents=True, exist_ok=True)
    for name, printed in () if error else schemas.PRINTED.items():
        text = json.dumps(schemas.schema_of(printed), indent=1, ensure_ascii=False)
        Path(folder, f"{name}.json").write_text(f"{text}\n", "utf-8")
    for page in () if error else Path(app.outdir).rglob("*.html"):
        text = PICTURE.sub(partial(readable, page), page.read_text("utf-8"))
        for pattern, instead in FOR_ALL:
            text = re.sub(pattern, instead, text)
        page.write_text(text, "utf-8")


def setup(app: Sphinx) -> None:
    """Fill in what is made from the program, and know what a block of a record is."""
    app.add_lexer("clue", TextLexer)
    app.add_html_math_renderer("mathml", (formula, None), (formula, None))
    app.connect("source-read", lambda _app, name, source: generated.fill(name, source))
    app.connect("autodoc-skip-member", skipped)
    app.connect("autodoc-process-signature", signature)
    app.connect("autodoc-process-docstring", description, priority=400)
    app.connect("object-description-transform", untold)
    app.connect("build-finished", finished)
