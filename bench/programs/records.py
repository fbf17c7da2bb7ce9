"""Records through json and back, and dictionaries that lose and gain keys; prints sums. Argument: how many records."""

import json
import sys


def draws(state):
    """xorshift32."""
    while True:
        state ^= state << 13 & 0xFFFFFFFF
        state ^= state >> 17
        state ^= state << 5 & 0xFFFFFFFF
        yield state


def make_records(count, random):
    for number in range(count):
        draw = next(random)
        yield {
            "number": number,
            "name": "n" * (draw % 60),
            "weights": [float(draw % k) for k in range(2, 2 + draw % 12)],
            "nested": {f"key{k}": draw >> k for k in range(draw % 5)},
        }


def through_json(count, random):
    records = list(make_records(count, random))
    text = json.dumps(records)
    again = json.loads(text)
    assert again == records
    return len(text), sum(len(record["weights"]) for record in again)


def churn(count, random):
    table = {}
    for _ in range(count * 4):
        draw = next(random)
        table[f"word {draw % count}"] = [draw] * (draw % 8)
        table.pop(f"word {(draw >> 8) % count}", None)
    assert all(name.startswith("word ") for name in table)
    return len(table), sum(map(len, table.values()))


def main():
    count = int(sys.argv[1])
    random = draws(1)
    print("json", *through_json(count, random))
    print("dict", *churn(count, random))


main()
