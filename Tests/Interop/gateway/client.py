"""Creates, edits, replaces and reads a record with the client that client.sh has made: client.py URL TOKEN"""
import sys

from local_copy.api.tasks import create_tasks, edit_tasks, get_tasks, list_tasks, replace_tasks
from local_copy.client import AuthenticatedClient
from local_copy.models import RecordTasks

client = AuthenticatedClient(
    base_url=sys.argv[1], token=sys.argv[2], raise_on_unexpected_status=True, httpx_args={"trust_env": False})

new = RecordTasks(title="Tea", rank=3, list_=1)
new["colour"] = {"name": "green"}
made = create_tasks.sync(client=client, body=new)
assert made.title == "Tea" and made["colour"] == {"name": "green"}, made

# What is not set is not sent, so it stays.
edit = RecordTasks(rank=4)
edit["colour"] = "black"
assert edit.to_dict() == {"rank": 4, "colour": "black"}, edit.to_dict()
edited = edit_tasks.sync(str(made.id), client=client, body=edit)
assert (edited.title, edited.rank, edited["colour"]) == ("Tea", 4, "black"), edited
assert edit_tasks.sync(str(made.id), client=client, body=RecordTasks(rank=None)).rank is None

# What is read, changed and put back loses nothing.
read = get_tasks.sync(str(made.id), client=client)
read.title = "Coffee"
replace_tasks.sync(str(made.id), client=client, body=read)
read = get_tasks.sync(str(made.id), client=client)
assert (read.title, read["colour"], read.list_) == ("Coffee", "black", 1), read

# Members of the API that the route file does not name.
first = list_tasks.sync(client=client, limit=1).items[0]
assert first.title and first.notes and first.status, first
print("gateway: a client made from its description keeps every member")
