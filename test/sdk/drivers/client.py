"""Does what each line of standard input asks, with the Python client, and answers with a line."""

import base64
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.environ["MILAAN_CLIENT"]))

from milaan import Milaan, MilaanError, WebhookRefused, finish_connect, start_connect, verify_webhook


def snake(name):
    return re.sub(r"[A-Z]", lambda letter: "_" + letter.group().lower(), name)


def answer(ask):
    args = ask.get("args") or {}
    if ask["call"] == "verifyWebhook":
        return verify_webhook(base64.b64decode(args["body"]), args["headers"], args["secret"], **args.get("options", {}))
    if ask["call"] == "startConnect":
        return start_connect(ask["baseUrl"], **args)
    if ask["call"] == "finishConnect":
        return finish_connect(args["kept"], args["query"])
    options = {snake(name): value for name, value in ask.get("options", {}).items()}
    milaan = Milaan(ask["baseUrl"], ask["apiKey"], **options)
    if ask["call"] == "createOrder":
        return milaan.create_order(args)
    if ask["call"] == "getOrder":
        return milaan.get_order(args["orderId"])
    if ask["call"] == "listOrders":
        return milaan.list_orders(**args)
    if ask["call"] == "orders":
        return list(milaan.orders(**args))
    found = list(milaan.reconcile(args["pending"]))
    return [{**one, "error": facts(one["error"]) if one["error"] else None} for one in found]


def facts(error):
    camel = lambda name: re.sub(r"_(.)", lambda letter: letter.group(1).upper(), name)
    return {camel(name): value for name, value in vars(error).items()}


for line in sys.stdin:
    try:
        said = {"value": answer(json.loads(line))}
    except MilaanError as error:
        said = {"error": facts(error)}
    except WebhookRefused as refused:
        said = {"refused": refused.reason}
    except ValueError as mistake:
        said = {"mistake": str(mistake)}
    print(json.dumps(said), flush=True)
