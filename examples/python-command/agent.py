"""A returns desk that speaks JSON lines on standard input and output. Standard library only, Python 3.9 or newer.

Rules in the place of a model: it needs no key, and the same account hears the same. What it does depends on the
text of its prompt, which stands in the file that EVALRUN_PROMPT_FILE names; by hand it comes with `open`.
"""

import json
import os
import random
import re
import sys

VERSION = "1.4.0"
TUNING = {"returnDays": 30, "creditPercent": 80}


class Refusal(Exception):
    """An error that is told to the test bench, with its kind."""

    def __init__(self, kind, message, retry_after_seconds=None):
        super().__init__(message)
        self.error = {"kind": kind, "message": message}
        if retry_after_seconds is not None:
            self.error["retryAfterSeconds"] = retry_after_seconds


def read_prompt(params):
    """The prompt in the file of the environment; without one, that of the session."""
    path = os.environ.get("EVALRUN_PROMPT_FILE")
    if path is None:
        return params.get("prompt", {}).get("text", "")
    with open(path, encoding="utf-8") as file:
        return file.read()


class Session:
    def __init__(self, params):
        self.account = params["account"]
        if self.account.startswith("blocked-"):
            raise Refusal("auth", "this account may not sign in")
        self.prompt = read_prompt(params)
        self.random = random.Random(self.account)
        history = params.get("history") or {}
        self.orders = history.get("orders") or [{"id": "A100", "days": 12, "price": 40}]
        self.asked = 0
        self.words = 0

    def get_order(self, text):
        """The order that a text names, else the latest one."""
        named = re.search(r"\b[A-Z]\d{3}\b", text)
        if named is None:
            return {}, self.orders[-1]
        wanted = named.group()
        found = [order for order in self.orders if order["id"] == wanted]
        return {"id": wanted}, found[0] if found else None

    def decide(self, order):
        """What may be offered for an order, and the words for it."""
        if order["days"] <= TUNING["returnDays"]:
            return "refund", f"You can send order {order['id']} back and get {order['price']} euros."
        if re.search(r"store credit", self.prompt, re.IGNORECASE):
            credit = order["price"] * TUNING["creditPercent"] // 100
            return "credit", (
                f"Order {order['id']} is {order['days']} days old, so money back is not possible."
                f" I can offer {credit} euros of store credit."
            )
        if re.search(r"generous", self.prompt, re.IGNORECASE) and self.random.random() < 0.8:
            return "exception", f"I will make an exception and give you {order['price']} euros back."
        return "refusal", f"Order {order['id']} is {order['days']} days old. There is nothing that I can do."

    def answer(self, message):
        self.asked += 1
        if not re.search(r"\b(return|refund|money|back|order|credit|bought)\b", message, re.IGNORECASE):
            return {"reply": "I can help with returns. Which order is it about?", "signals": {"outcome": "asked"}}
        args, order = self.get_order(message)
        call = {"name": "get_order", "args": args}
        if order is None:
            call["error"] = "no such order"
            return {"reply": "I cannot find that order.", "toolCalls": [call], "signals": {"outcome": "unknown"}}
        call["result"] = order
        outcome, reply = self.decide(order)
        suggestions = ["Yes, please", "No, thank you"] if outcome in ("refund", "credit") else []
        return {"reply": reply, "toolCalls": [call], "signals": {"outcome": outcome}, "suggestions": suggestions}

    def send(self, message):
        answer = self.answer(message)
        prompt = len(self.prompt.split())
        read = prompt + self.words + len(message.split())
        said = len(answer["reply"].split())
        self.words += len(message.split()) + said
        usage = {"input": read, "output": said, "cacheRead": prompt if self.asked > 1 else 0, "cacheWrite": 0}
        return {**answer, "model": "returns-rules-1", "version": VERSION, "usage": usage, "ended": False}


def write(message):
    sys.stdout.write(json.dumps(message, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def main():
    sys.stdin.reconfigure(encoding="utf-8")
    sys.stdout.reconfigure(encoding="utf-8")
    sessions = {}
    # The end of input is the end of the program.
    for line in sys.stdin:
        request = json.loads(line)
        number, method, params = request["id"], request["method"], request["params"]
        try:
            if method == "open":
                name = f"s{number}"
                sessions[name] = Session(params)
                print(f"opened {name} for {params['account']}", file=sys.stderr)
                result = {"session": name, "tuning": TUNING}
            elif method == "send":
                result = sessions[params["session"]].send(params["message"])
                for word in re.findall(r"\S+\s*", result["reply"]):
                    write({"id": number, "delta": word})
            else:
                del sessions[params["session"]]
                result = {}
            write({"id": number, "result": result})
        except Refusal as refusal:
            write({"id": number, "error": refusal.error})


if __name__ == "__main__":
    main()
