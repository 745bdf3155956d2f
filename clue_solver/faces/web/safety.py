"""
Who may ask for anything: the secret in the address, the host that was asked, where the request
comes from, and how much and how often. Every refusal looks the same.
"""

import hmac
import time
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from ipaddress import ip_address
from typing import Generic, TypeVar

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

Found = TypeVar("Found")

MOST_BYTES, MOST_QUERY = 16_384, 4_096
"""The most bytes of what is sent with a request, and of what follows the `?` of an address."""

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


def token_of(secret: str) -> str:
    """Return what forms at this secret have to bring back, so that no other site can send them."""
    return hmac.new(secret.encode(), b"a form of this page", sha256).hexdigest()[:32]


def fits(secret: str, token: str) -> bool:
    """Return whether that is the token; takes the same time whatever it is."""
    return hmac.compare_digest(token_of(secret).encode(), token.encode("utf-8", "replace"))


class Bucket:
    """How often something may be done: so many at once, so many a second, by a clock."""

    def __init__(self, most: float, each_second: float, clock: Callable[[], float]) -> None:
        self.most = most
        self.each_second = each_second
        self.clock = clock
        self._left, self._since = most, clock()

    def take(self) -> bool:
        """Return whether it may be done once more now."""
        now = self.clock()
        self._left = min(self.most, self._left + (now - self._since) * self.each_second)
        self._since = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Guard(Generic[Found]):
    """
    Lets through what may be answered, with what its secret leads to in the scope.

    Args:
        app: What answers.
        doors: Returns what each secret leads to, as of now.
        port: The port that is listened on.
        names: Host names that are this machine's.
        clock: Tells the seconds by which often is too often.
    """

    def __init__(
        self,
        app: ASGIApp,
        doors: Callable[[], Mapping[str, Found]],
        *,
        port: int,
        names: Iterable[str],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._app = app
        self._doors = doors
        self._port = port
        self._clock = clock
        self._names = {name.casefold() for name in names}
        self._asked: dict[str, tuple[Bucket, Bucket]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        way = self._found(scope["path"].split("/")[1])
        if way is None or not self._ours(scope, headers):
            refused = PlainTextResponse(
                "forbidden\n", 403, _HEADERS | {"Cache-Control": "no-store"}
            )
            await refused(scope, receive, send)
            return
        secret, door = way
        if not self._often(secret, scope["method"]) or len(scope["query_string"]) > MOST_QUERY:
            status = 414 if len(scope["query_string"]) > MOST_QUERY else 429
            await PlainTextResponse("too much\n", status, _HEADERS)(scope, receive, send)
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        scope["state"] = {"secret": secret, "door": door}
        await self._app(scope, receive, sent)

    def _found(self, secret: str) -> tuple[str, Found] | None:
        """Return the secret and what it leads to; every one there is is compared, and wholly."""
        way: tuple[str, Found] | None = None
        given = secret.encode("utf-8", "replace")
        for known, door in self._doors().items():
            if hmac.compare_digest(known.encode(), given):
                way = known, door
        return way

    def _ours(self, scope: Scope, headers: Headers) -> bool:
        """Return whether this machine was asked by its own name, and by its own pages."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._here(hosts[0], scope):
            return False
        origins = headers.getlist("origin")
        site = headers.get("sec-fetch-site", "none")
        if scope["method"] not in ("GET", "HEAD") and site not in ("same-origin", "none"):
            return False
        return all(origin.casefold() == f"http://{hosts[0]}".casefold() for origin in origins)

    def _here(self, host: str, scope: Scope) -> bool:
        name, colon, port = host.casefold().rpartition(":")
        if not colon or port.endswith("]"):
            name = host.casefold()
            port = "80"
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

    def _often(self, secret: str, method: str) -> bool:
        if secret not in self._asked:
            current = set(self._doors())
            self._asked = {key: kept for key, kept in self._asked.items() if key in current}
            self._asked[secret] = Bucket(2_000, 500, self._clock), Bucket(60, 20, self._clock)
        return self._asked[secret][method not in ("GET", "HEAD")].take()


async def body_of(request: Request) -> bytes | None:
    """Return what was sent with a request; `None` if that is too much."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            return None
    return body
