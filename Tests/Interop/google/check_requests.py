#!/usr/bin/env python3
"""Compares requests with the description of Google Tasks that Google's client ships.

Reads JSON lines {"method", "path", "query": [[name, value]…], "body"} from standard input, where the body is a text,
empty for none. Prints one line for each thing that the description does not allow, and last how many requests it saw
by method identifier.
"""

import collections
import json
import pathlib
import re
import sys

import googleapiclient

DOCUMENT = pathlib.Path(googleapiclient.__file__).parent / "discovery_cache" / "documents" / "tasks.v1.json"


def methods(node):
    for resource in node.get("resources", {}).values():
        yield from resource.get("methods", {}).values()
        yield from methods(resource)


def pattern(path):
    """A place takes one segment, which is not empty."""
    return re.compile("".join("[^/]+" if part.startswith("{") else re.escape(part)
                              for part in re.split(r"(\{[^}]*\})", path)))


def text_problem(value, schema):
    if schema["type"] == "integer" and not re.fullmatch(r"-?\d{1,10}", value):
        return "is no integer"
    if schema["type"] == "boolean" and value not in ("true", "false"):
        return "is neither true nor false"
    if "enum" in schema and value not in schema["enum"]:
        return "is none of " + ", ".join(schema["enum"])
    return None


def value_problems(value, schema, schemas, place):
    if "$ref" in schema:
        schema = dict(schemas[schema["$ref"]])
    kinds = {"string": str, "boolean": bool, "object": dict, "array": list, "integer": int}
    if value is None:
        return
    if not isinstance(value, kinds[schema["type"]]):
        yield f"{place} is no {schema['type']}"
    elif schema["type"] == "array":
        for index, each in enumerate(value):
            yield from value_problems(each, schema["items"], schemas, f"{place}[{index}]")
    elif schema["type"] == "object":
        for name, each in value.items():
            if name not in schema.get("properties", {}):
                yield f"{place}.{name} is not in the schema"
            elif schema["properties"][name].get("readOnly"):
                yield f"{place}.{name} is output only"
            else:
                yield from value_problems(each, schema["properties"][name], schemas, f"{place}.{name}")


def problems(request, document, seen):
    path = request["path"].lstrip("/")
    fitting = [m for m in methods(document) if m["httpMethod"] == request["method"] and pattern(m["path"]).fullmatch(path)]
    if len(fitting) != 1:
        yield f"{len(fitting)} methods have this path"
        return
    method = fitting[0]
    seen[method["id"]] += 1
    known = {**document["parameters"], **{n: p for n, p in method["parameters"].items() if p["location"] == "query"}}
    names = [name for name, _ in request["query"]]
    for name, value in request["query"]:
        if name not in known:
            yield f"the parameter {name} is not known to {method['id']}"
        elif problem := text_problem(value, known[name]):
            yield f"the parameter {name}={value} {problem}"
        if names.count(name) > 1:
            yield f"the parameter {name} stands twice"
    if "request" not in method:
        if request["body"]:
            yield f"{method['id']} takes no body"
    elif not request["body"]:
        yield f"{method['id']} needs a body"
    else:
        yield from value_problems(json.loads(request["body"]), method["request"], document["schemas"], "body")


def main():
    document = json.loads(DOCUMENT.read_text())
    seen = collections.Counter()
    for line in sys.stdin:
        request = json.loads(line)
        for problem in problems(request, document, seen):
            print(f"{request['method']} {request['path']}: {problem}")
    print(json.dumps({"revision": document["revision"], "seen": dict(sorted(seen.items()))}))


if __name__ == "__main__":
    main()
