#!/usr/bin/env python3
"""Works with Google Tasks through Google's own client, built from the description that its package ships.

    client.py ORIGIN TOKEN_URI show          prints all lists and tasks, as the client sees them, as JSON
    client.py ORIGIN TOKEN_URI edit          creates, changes, moves, completes, clears and deletes; prints what it made

Signs in with a refresh token, as an application does; the access token comes from TOKEN_URI.
"""

import json
import sys

from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError


def service(origin, token_uri):
    credentials = Credentials(
        token=None, refresh_token="refresh-1", token_uri=token_uri, client_id="client-1", client_secret="client-secret"
    )
    return build(
        "tasks", "v1", credentials=credentials, static_discovery=True, cache_discovery=False,
        client_options={"api_endpoint": origin + "/"},
    )


def pages(collection, **arguments):
    request = collection.list(**arguments)
    while request is not None:
        answer = request.execute()
        yield from answer.get("items", [])
        request = collection.list_next(request, answer)


def show(api):
    lists = list(pages(api.tasklists(), maxResults=2))
    tasks = {
        each["id"]: list(
            pages(api.tasks(), tasklist=each["id"], maxResults=3, showCompleted=True, showHidden=True, showAssigned=True)
        )
        for each in lists
    }
    return {"lists": lists, "tasks": tasks}


def refusal(request):
    try:
        request.execute()
    except HttpError as error:
        return {"status": error.status_code, "reason": error.reason}
    return {"status": 200}


def edit(api):
    made = {}
    work = api.tasklists().insert(body={"title": "Work"}).execute()
    tasks = api.tasks()

    def insert(title, **arguments):
        return tasks.insert(tasklist=work["id"], body={"title": title}, **arguments).execute()

    first, second, third = insert("first"), insert("second"), insert("third")
    made["patched"] = tasks.patch(
        tasklist=work["id"], task=first["id"], body={"notes": "patched", "due": "2024-05-06T07:08:09.000Z"}
    ).execute()
    made["replaced"] = tasks.update(
        tasklist=work["id"], task=second["id"], body={"id": second["id"], "title": "second, replaced"}
    ).execute()
    made["moved"] = tasks.move(tasklist=work["id"], task=third["id"], parent=first["id"]).execute()
    done = insert("done")
    tasks.patch(tasklist=work["id"], task=done["id"], body={"status": "completed"}).execute()
    tasks.clear(tasklist=work["id"]).execute()
    made["cleared"] = tasks.get(tasklist=work["id"], task=done["id"]).execute()
    gone = insert("gone")
    tasks.delete(tasklist=work["id"], task=gone["id"]).execute()
    made["missing"] = refusal(tasks.get(tasklist=work["id"], task="none"))
    made["unknown"] = refusal(tasks.insert(tasklist=work["id"], body={"titel": "x"}))
    made["work"] = work["id"]
    return made


def main():
    origin, token_uri, what = sys.argv[1:]
    json.dump({"show": show, "edit": edit}[what](service(origin, token_uri)), sys.stdout)


if __name__ == "__main__":
    main()
