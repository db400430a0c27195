"""The merchant's side of Milaan for Python 3.9 and newer: one file, the standard library alone.

    from milaan import Milaan

    milaan = Milaan("https://pay.example.in", os.environ["MILAAN_API_KEY"])
    order = milaan.create_order({"amount": 499, "merchant_order_id": "order-1042", ...})

Orders and filters are dictionaries with the API's names. Amounts are rupees, times are ISO 8601 in UTC.
"""

import base64
import binascii
import hashlib
import hmac
import http.client
import json
import random
import re
import secrets
import socket
import threading
import time
import urllib.parse

__version__ = "0.2.0"

_PATH = "/api/v1/orders"
_FIRST_PAUSE_MS = 250
# These statuses are temporary, and every call may be repeated.
_PASSING = {408, 429, 502, 503, 504}
# The sender measures its limit with another clock than ours.
_CLOCKS_DIFFER_MS = 5
_TOLERANCE = 300
# A sender makes one signature per secret. More than a handful only costs computing time.
_MOST_SIGNATURES = 10


class MilaanError(Exception):
    """A failed call. `code` says why; the other fields are set if the service sent them."""

    def __init__(self, code, message, *, status=None, details=None, upgrade_url=None, limit_paise=None,
                 collected_paise=None, retry_after=None, request_id=None, attempts=0, doc_url=None):
        super().__init__(message)
        #: Such as order_not_found; network_error, timeout and unexpected_answer are the client's own.
        self.code = code
        self.message = message
        #: The HTTP status; None when there was no answer.
        self.status = status
        #: The exact fault in the request.
        self.details = details
        #: The documentation of this code.
        self.doc_url = doc_url
        #: The page for changing the plan (402).
        self.upgrade_url = upgrade_url
        #: The plan's monthly limit and what was collected, in paise (402 plan_limit_reached).
        self.limit_paise = limit_paise
        self.collected_paise = collected_paise
        #: The service asks for this pause in seconds (429, 503).
        self.retry_after = retry_after
        #: Give it to the operator if you ask about this call.
        self.request_id = request_id
        #: How often the call was tried.
        self.attempts = attempts


class WebhookRefused(Exception):
    """The request is not from Milaan, not recent, or was changed. Answer 400 and do nothing.

    `reason` is missing_header, malformed_header, too_old, too_new, wrong_signature or malformed_body.
    """

    def __init__(self, reason, message):
        super().__init__(message)
        self.reason = reason


class Milaan:
    """One instance serves a whole program, all its threads included.

    `timeout_ms` is the longest that one attempt may take, `retries` how often a temporary failure is retried,
    `longest_pause_ms` the longest pause before a retry. `fetch` is your own function for requests:
    fetch(method, url, headers, body, timeout_ms) returns (status, headers by lower-case name, body as bytes), raises
    when there is no answer, and follows no redirect.
    """

    def __init__(self, base_url, api_key, *, timeout_ms=10_000, retries=3, longest_pause_ms=5_000, fetch=None):
        for name, value in (("timeout_ms", timeout_ms), ("retries", retries), ("longest_pause_ms", longest_pause_ms)):
            if not value >= 0:
                raise ValueError(f"Milaan: {name} must be a number, 0 or more")
        self._base_url = _usable_url(base_url)
        key = api_key.strip() if isinstance(api_key, str) else ""
        if not re.fullmatch(r"[\x21-\x7e]+", key):
            raise ValueError("Milaan: api_key is missing or not an API key")
        self._headers = {"X-API-Key": key}
        self._rules = (timeout_ms, retries, longest_pause_ms, fetch or _fetch)

    def create_order(self, order):
        """Creates an order. Safe to repeat: a merchant_order_id that was used before returns its order,
        with idempotent_replay true and its present status."""
        return self._ask("POST", _PATH, order)

    def get_order(self, order_id):
        """An order by its service id (ML-…). Raises a MilaanError with code order_not_found when there is none."""
        # An empty id would request the list and return something that is no order.
        if not isinstance(order_id, str) or order_id == "":
            raise ValueError("Milaan: order_id is empty")
        return self._ask("GET", f"{_PATH}/{urllib.parse.quote(order_id, safe='')}")

    def list_orders(self, **filter):
        """One page of orders, newest first: data, has_more, next_cursor. Filter by status, merchant_order_id, limit,
        cursor."""
        query = urllib.parse.urlencode({name: value for name, value in filter.items() if value is not None})
        return self._ask("GET", f"{_PATH}?{query}" if query else _PATH)

    def orders(self, **filter):
        """All orders, newest first, page after page: for order in milaan.orders(status="paid")."""
        cursor = None
        while True:
            page = self.list_orders(**{**filter, "cursor": cursor})
            yield from page["data"]
            cursor = page["next_cursor"]
            if not page["has_more"] or cursor is None:
                return

    def reconcile(self, pending):
        """Asks for every order that is pending in your books. Each of `pending` has merchant_order_id, and order_id if
        you know it; your own id finds a create that got no answer. Yields merchant_order_id with order, or with
        error for a failed call, which stops nothing. If both are None, the create never arrived."""
        for one in pending:
            found = {"merchant_order_id": one["merchant_order_id"], "order": None, "error": None}
            try:
                found["order"] = self._find(one.get("order_id"), one["merchant_order_id"])
            except MilaanError as error:
                found["error"] = error
            yield found

    def _find(self, order_id, merchant_order_id):
        if not order_id:
            return next(iter(self.list_orders(merchant_order_id=merchant_order_id, limit=1)["data"]), None)
        return self.get_order(order_id)

    def _ask(self, method, path, body=None):
        return _call(self._rules, method, self._base_url + path, self._headers, body)


def verify_webhook(raw_body, headers, secret, *, tolerance=_TOLERANCE, now=None):
    """Verifies a webhook (Standard Webhooks: HMAC-SHA256 over id.timestamp.body) and returns its event: id, type,
    timestamp, data. Raises WebhookRefused. Types: payment.paid, payment.review and payment.unmatched if the owner
    wants them, webhook.test. Answer 2xx to types that you do not know.

    `raw_body` is the bytes as they arrived: JSON that was parsed and written again differs. `headers` is a mapping of
    names to values. `secret` is one or a list; while a secret is rotated the service signs with both. `tolerance` is
    in seconds, `now` is Unix time.
    """
    body = raw_body.encode() if isinstance(raw_body, str) else bytes(raw_body)
    keys = [_secret_key(one) for one in ([secret] if isinstance(secret, str) else secret)]
    if not keys:
        raise ValueError("Milaan: no webhook secret given")
    id = _header(headers, "webhook-id")
    timestamp = _header(headers, "webhook-timestamp")
    signatures = _signatures(_header(headers, "webhook-signature"))
    _check_time(timestamp, tolerance, time.time() if now is None else now)
    signed = f"{id}.{timestamp}.".encode("utf-8", "surrogateescape") + body
    genuine = False
    for key in keys:
        expected = hmac.new(key, signed, hashlib.sha256).digest()
        for signature in signatures:
            genuine = hmac.compare_digest(expected, signature) or genuine
    if not genuine:
        raise WebhookRefused("wrong_signature", "no signature fits the body and the secret")
    event = _json_object(body)
    if event is None or not isinstance(event.get("type"), str):
        raise WebhookRefused("malformed_body", "the body is not an event in JSON")
    return {"id": id, "type": event["type"], "timestamp": event.get("timestamp"), "data": event.get("data")}


def start_connect(base_url, *, shop_name, return_url, webhook_url):
    """One-click connect: send the owner's browser to `url`, and keep the rest on your server until it returns."""
    base_url = _usable_url(base_url)
    state = secrets.token_hex(16)
    verifier = secrets.token_urlsafe(32)
    query = urllib.parse.urlencode({
        "shop_name": shop_name,
        "return_url": return_url,
        "webhook_url": webhook_url,
        "state": state,
        "code_challenge": base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("="),
        "code_challenge_method": "S256",
    })
    return {
        "url": f"{base_url}/connect?{query}",
        "base_url": base_url,
        "return_url": return_url,
        "state": state,
        "code_verifier": verifier,
    }


def finish_connect(kept, query, *, timeout_ms=10_000, fetch=None):
    """Call it when the owner's browser is back. `kept` is start_connect's result (delete it first), `query` has the
    return's parameters. Returns api_key, webhook_secret, payment_account_id, business_name, mode, base_url,
    connection_id. Raises a MilaanError with code access_denied if the owner refused, wrong_state if this is no answer
    to your request."""
    given = {name: query.get(name) or "" for name in ("state", "iss", "error", "code")}
    if not kept["state"] or not hmac.compare_digest(kept["state"].encode(), given["state"].encode()):
        raise MilaanError("wrong_state", "this is not the answer to the question that was asked; connect again")
    if given["iss"].rstrip("/") != kept["base_url"]:
        raise MilaanError("wrong_state", f"the answer is from {given['iss']} and not from {kept['base_url']}")
    if given["error"]:
        raise MilaanError(given["error"], "the owner did not agree")
    body = {"code": given["code"], "code_verifier": kept["code_verifier"], "return_url": kept["return_url"]}
    # Never retried: a repeated code ends the connection that it made.
    return _call((timeout_ms, 0, 0, fetch or _fetch), "POST", f"{kept['base_url']}/connect/token", {}, body)


def _call(rules, method, url, headers, body):
    """One call with a time limit, retried if that is safe and useful."""
    timeout_ms, retries, longest_pause_ms, fetch = rules
    headers = {**headers, "Accept": "application/json"}
    # Before any attempt: a value that cannot be encoded is the caller's mistake, not the network's.
    content = None if body is None else json.dumps(body, allow_nan=False).encode()
    if content is not None:
        headers["Content-Type"] = "application/json"
    attempts = 0
    while True:
        attempts += 1
        try:
            return _attempt(fetch, method, url, headers, content, timeout_ms, attempts)
        except MilaanError as error:
            pause = _retry_pause(error, retries, longest_pause_ms)
            if pause is None:
                raise
            time.sleep(pause / 1000)


def _attempt(fetch, method, url, headers, content, timeout_ms, attempts):
    started = time.monotonic()
    try:
        status, received, text = fetch(method, url, headers, content, timeout_ms)
    except Exception as cause:
        if (time.monotonic() - started) * 1000 >= timeout_ms - _CLOCKS_DIFFER_MS:
            raise MilaanError("timeout", f"no answer within {timeout_ms} ms", attempts=attempts) from cause
        message = f"{_origin(url)} could not be reached: {cause or type(cause).__name__}"
        raise MilaanError("network_error", message, attempts=attempts) from cause
    value = _json_object(text)
    if 200 <= status < 300 and value is not None:
        return value
    raise _error_from(status, received, value, attempts)


def _error_from(status, headers, body, attempts):
    after = (headers.get("retry-after") or "").strip()
    facts = {
        "status": status,
        "attempts": attempts,
        "request_id": headers.get("x-request-id"),
        # A date is not parsed, because the service sends seconds and clocks differ.
        "retry_after": int(after) if re.fullmatch(r"[0-9]{1,6}", after) else None,
    }
    if status < 400 or body is None or not isinstance(body.get("error"), str):
        # A proxy's error page, a captive portal, or the base URL of another service.
        message = f"the answer (HTTP {status}) is not one of Milaan's; check base_url and what stands between"
        return MilaanError("unexpected_answer", message, **facts)

    def given(name, kind):
        return body[name] if type(body.get(name)) is kind else None

    details = given("details", str)
    message = given("message", str) or body["error"]
    if details and details not in message:
        message = f"{message} {details}"
    return MilaanError(body["error"], message, details=details, doc_url=given("doc_url", str),
                       upgrade_url=given("upgrade_url", str), limit_paise=given("limit_paise", int),
                       collected_paise=given("collected_paise", int), **facts)


def _retry_pause(error, retries, longest_pause_ms):
    """Milliseconds until a failed call may be tried again, or None when it may not."""
    if error.attempts > retries or not (error.code in ("network_error", "timeout") or error.status in _PASSING):
        return None
    if error.retry_after is not None:
        asked = error.retry_after * 1000
        # A random delay on top, so that clients refused together do not return together.
        return asked + _FIRST_PAUSE_MS * random.random() if asked <= longest_pause_ms else None
    return min(longest_pause_ms, _FIRST_PAUSE_MS * 2**error.attempts) * (0.5 + 0.5 * random.random())


def _fetch(method, url, headers, content, timeout_ms):
    """http.client and not urllib: it follows no redirect, which would carry the key to another host."""
    parts = urllib.parse.urlsplit(url)
    connect = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = connect(parts.netloc, timeout=max(timeout_ms, 1) / 1000)
    # Each read has its own limit. This one is for the whole answer, because it may drip.
    end = threading.Timer(timeout_ms / 1000, _hang_up, [connection])
    end.daemon = True
    end.start()
    try:
        connection.request(method, f"{parts.path}?{parts.query}" if parts.query else parts.path, content, headers)
        answer = connection.getresponse()
        text = answer.read()
        received = {name.lower(): value for name, value in answer.getheaders()}
        if not end.is_alive():
            raise TimeoutError("the answer took too long")
        return answer.status, received, text
    finally:
        end.cancel()
        connection.close()


def _hang_up(connection):
    try:
        connection.sock.shutdown(socket.SHUT_RDWR)
    except (AttributeError, OSError):
        pass


def _origin(url):
    parts = urllib.parse.urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _json_object(text):
    try:
        value = json.loads(text.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _usable_url(base_url):
    parts = urllib.parse.urlsplit(base_url.strip() if isinstance(base_url, str) else "")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("Milaan: base_url must be an address such as https://pay.example.in")
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2].lower()}{parts.path.rstrip('/')}"


def _secret_key(secret):
    try:
        text = secret.strip()
        key = base64.b64decode(text[len("whsec_"):] if text.startswith("whsec_") else text, validate=True)
    except (AttributeError, ValueError):
        key = b""
    # Anybody could sign with an empty key.
    if not key:
        raise ValueError("Milaan: the webhook secret must be the whole text that begins with whsec_")
    return key


def _header(headers, wanted):
    # The standard library's messages may contain a name several times, and get() would return the first.
    found = [value for name, value in headers.items() if name.lower() == wanted]
    if len(found) > 1:
        raise WebhookRefused("malformed_header", f"{wanted} was sent more than once")
    if not found or not found[0]:
        raise WebhookRefused("missing_header", f"there is no {wanted} header")
    return found[0]


def _signatures(header):
    """v1,<base64>, several separated by spaces; other versions are passed over."""
    given = [part[3:] for part in header.split(" ") if part.startswith("v1,")]
    if len(given) > _MOST_SIGNATURES:
        raise WebhookRefused("malformed_header", "too many signatures")
    signatures = []
    for text in given:
        try:
            signatures.append(base64.b64decode(text, validate=True))
        except (binascii.Error, ValueError):
            continue
    return signatures


def _check_time(timestamp, tolerance, now):
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookRefused("malformed_header", "webhook-timestamp is not a whole number of seconds")
    age = int(now) - int(timestamp)
    if age > tolerance:
        raise WebhookRefused("too_old", f"signed {age} seconds ago")
    if -age > tolerance:
        raise WebhookRefused("too_new", f"signed {-age} seconds ahead of our clock")
