"""
Decides which requests are answered, by their secret, host, origin and size.

Whoever is refused does not learn why, since all refusals look the same.
"""

import asyncio
import traceback
from collections.abc import Callable, Mapping
from html import escape
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clue_solver.errors import printable

Tell = Callable[[str], None]

MOST_BYTES, MOST_QUERY = 16_384, 4_096
"""How many bytes the body and the query string of a request may have."""

_BODY = 10.0
"""How many seconds the body of a request may take to arrive."""

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; form-action 'self'; manifest-src 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "X-Robots-Tag": "noindex",
}
FRAMED = {
    "Content-Security-Policy": _HEADERS["Content-Security-Policy"].replace(
        "frame-ancestors 'none'", "frame-ancestors 'self'"
    ),
    "X-Frame-Options": "SAMEORIGIN",
}
"""The safety headers that are different if the site shows its pages in a frame."""


def notice(status: int, heading: str, text: str, way: str = "") -> HTMLResponse:
    """
    Return a page with a message.

    Args:
        status: The HTTP status.
        heading: The heading.
        text: The message, as HTML.
        way: The path of the game's page, to which a link leads; empty for no link.
    """
    back = f'<p><a href="{escape(way)}">Back to the game</a></p>' if way else ""
    page = (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{heading}</title></head><body><main><h1>{heading}</h1><p>{text}</p>{back}</main>"
        "</body></html>\n"
    )
    return HTMLResponse(page, status)


_LARGE = ("This request is too large", "Nothing was logged. Send less at a time.")
_NOTICES = {
    403: (
        "This link does not lead to a game",
        "The link has expired, or a part of it is missing. Ask the person who keeps the log for a "
        "new one: it is on their page, under Table. If you keep the log yourself, you will find it "
        "where the game was started.",
    ),
    404: ("There is nothing here", "The game is on its own page."),
    408: ("This request took too long", "Nothing was logged. Wait a moment, then try again."),
    413: _LARGE,
    414: _LARGE,
    500: ("Something went wrong", "Go back, look at the log, and try again."),
}
"""The heading and the text of the error page, by the HTTP status of the failed request."""


def error_page(status: int, way: str = "") -> HTMLResponse:
    """
    Return the page for a request that fails.

    Args:
        status: The HTTP status, a key of `_NOTICES`.
        way: The path of the game's page, to which the page for 404 links; empty for no link.
    """
    return notice(status, *_NOTICES[status], way if status == 404 else "")


def way_to(scope: Scope, secret: str) -> str:
    """Return the path of the page with this secret, with the server's root path before it."""
    return f"{scope.get('root_path', '')}/{secret}"


class Place(NamedTuple):
    """
    The address and the host names of a server.

    Attributes:
        origin: The scheme, host and port of the pages.
        port: The port that the server listens on.
        names: The host names of this machine.
        allowed: The host names of proxies or tunnels, which may use any port.
    """

    origin: str
    port: int
    names: tuple[str, ...]
    allowed: tuple[str, ...] = ()


class Guard:
    """
    Refuses requests without a valid secret, and passes the others on.

    The secret, and the application that it leads to, are added to the scope of the request. An
    `HTTPException` is answered with its page. Other errors are reported to the host in one line
    without secrets.

    Args:
        app: The application that answers accepted requests.
        apps: Returns what each secret leads to now: an application, or a file to open.
        place: The address of the server.
        tell: Called with messages for the host.
        framed: Whether the site shows its pages in a frame.
    """

    def __init__(
        self,
        app: ASGIApp,
        apps: Callable[[], Mapping[str, object]],
        place: Place,
        *,
        tell: Tell = lambda _: None,
        framed: bool = False,
    ) -> None:
        self._headers = {**_HEADERS, **(FRAMED if framed else {})}
        self._app = app
        self._apps = apps
        self._port = place.port
        self._tell = tell
        self._names = {name.casefold() for name in place.names}
        self._allowed = {name.casefold() for name in place.allowed}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun, way = False, way_to(scope, _secret_in(scope))

        async def send_safely(message: Message) -> None:
            """Send a part of a response, and add the security headers to its first part."""
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = MutableHeaders(scope=message)
                headers.update(self._headers)
                if message["status"] < 400 and scope["path"].count("/static/"):
                    headers["Cache-Control"] = "private, max-age=31536000, immutable"
                headers.setdefault("Cache-Control", "no-store")
                if message["status"] in (403, 408, 413):
                    headers["Connection"] = "close"
            await send(message)

        try:
            await self._answer(scope, receive, send_safely)
        except ClientDisconnect:
            pass  # nobody is there to be told
        except HTTPException as error:
            await error_page(error.status_code, way)(scope, receive, send_safely)
        except Exception as error:
            self._tell(f"a page could not be served: {error_place(error)}")
            if not begun:
                await error_page(500)(scope, receive, send_safely)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or raise an `HTTPException` if it is refused."""
        headers = Headers(scope=scope)
        address = (scope.get("client") or ("somebody", 0))[0]
        secret = _secret_in(scope)
        app = self._apps().get(secret)  # by hash, so that its duration reveals no other secret
        trouble = "its link does not work"
        if app is not None:
            trouble = self._refusal_reason(scope, headers)
        if app is None or trouble:
            self._tell(f"{address} was refused: {trouble}")
            raise HTTPException(403)
        if len(scope["query_string"]) > MOST_QUERY:
            self._tell(f"{address} sent a request that is too long")
            raise HTTPException(414)
        scope["state"] = {"secret": secret, "app": app}
        await self._app(scope, receive, send)

    def _refusal_reason(self, scope: Scope, headers: Headers) -> str:
        """Return why the host or the origin of a request is wrong; empty if both are right."""
        hosts = headers.getlist("host")
        if len(hosts) != 1:
            return "it named no host"
        if not self._is_own_host(hosts[0], scope):
            name = printable(hosts[0].rpartition(":")[0] or hosts[0], most=60)
            return f"{name} is not a name of this computer; --allow {name} would let it in"
        origins = headers.getlist("origin")
        site = headers.get("sec-fetch-site", "none")
        elsewhere = scope["method"] not in ("GET", "HEAD") and site not in ("same-origin", "none")
        here = [f"{scheme}://{hosts[0]}".casefold() for scheme in ("http", "https")]
        if elsewhere or any(origin.casefold() not in here for origin in origins):
            return "another site sent it"
        return ""

    def _is_own_host(self, host: str, scope: Scope) -> bool:
        """Return whether a request's host is a name or an address of this server."""
        name, colon, port = host.casefold().rpartition(":")
        if not colon or port.endswith("]"):
            name = host.casefold()
            port = "443" if scope.get("scheme") == "https" else "80"
        if name in self._allowed:
            return True
        if port != str(self._port):
            return False
        if name in self._names:
            return True
        try:
            named = ip_address(name.strip("[]"))
            asked = ip_address((scope.get("server") or ("", 0))[0].partition("%")[0])
        except ValueError:
            return False
        return named == asked or (named.is_loopback and asked.is_loopback)


def _secret_in(scope: Scope) -> str:
    """Return the part of a request's path where the secret stands, whether or not it is one."""
    path: str = scope["path"].removeprefix(scope.get("root_path", ""))
    return path.removeprefix("/").partition("/")[0]


def error_place(error: BaseException) -> str:
    """Return an error's type and place in the code, but nothing that the request contained."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"


async def body_of(request: Request) -> bytes:
    """Return the body of a request; raise an `HTTPException` if it is too large or too slow."""
    body = b""
    try:
        async with asyncio.timeout(_BODY):
            async for part in request.stream():
                body += part
                if len(body) > MOST_BYTES:
                    raise HTTPException(413)
    except TimeoutError:
        raise HTTPException(408) from None
    return body
