"""A small FastAPI server whose OpenAPI document FastAPI writes itself; the interop tests start and stop it.

Projects and their notes in memory, as the framework's tutorial would have them: a list with skip and limit, an object
below it, a nested list, errors as FastAPI answers them. Prints `ready URL` and ends when standard input closes.
"""

import os
import signal
import socket
import sys
import threading
from datetime import date, datetime, timezone
from decimal import Decimal

import uvicorn
from fastapi import FastAPI, HTTPException, Query
from pydantic import BaseModel, Field

app = FastAPI(title="Projects", version="1.0")


class ProjectIn(BaseModel):
    title: str = Field(min_length=1)
    budget: Decimal | None = None
    due: date | None = None


class Project(ProjectIn):
    id: int
    created_at: datetime


class NoteIn(BaseModel):
    text: str


class Note(NoteIn):
    note_id: int
    project_id: int


class NotePage(BaseModel):
    items: list[Note]
    total: int


projects: dict[int, Project] = {}
notes: dict[int, Note] = {}
numbers = iter(range(1, 1_000_000))


def found(table, key):
    if key not in table:
        raise HTTPException(404, "Not found")
    return table[key]


@app.get("/health")
def health() -> dict[str, str]:
    return {"status": "ok"}


@app.get("/api/v1/projects")
def list_projects(skip: int = 0, limit: int = Query(10, le=50)) -> list[Project]:
    return list(projects.values())[skip : skip + limit]


@app.post("/api/v1/projects", status_code=201)
def create_project(body: ProjectIn) -> Project:
    project = Project(id=next(numbers), created_at=datetime.now(timezone.utc), **body.model_dump())
    projects[project.id] = project
    return project


@app.get("/api/v1/projects/{project_id}")
def read_project(project_id: int) -> Project:
    return found(projects, project_id)


@app.put("/api/v1/projects/{project_id}")
def replace_project(project_id: int, body: ProjectIn) -> Project:
    old = found(projects, project_id)
    projects[project_id] = Project(id=project_id, created_at=old.created_at, **body.model_dump())
    return projects[project_id]


@app.delete("/api/v1/projects/{project_id}", status_code=204)
def delete_project(project_id: int) -> None:
    found(projects, project_id)
    del projects[project_id]


@app.post("/api/v1/projects/{project_id}/archive")
def archive_project(project_id: int, silently: bool = False) -> Project:
    return found(projects, project_id)


@app.get("/api/v1/projects/{project_id}/notes")
def list_notes(project_id: int, page: int = Query(1, ge=1), size: int = Query(20, le=100)) -> NotePage:
    found(projects, project_id)
    mine = [note for note in notes.values() if note.project_id == project_id]
    return NotePage(items=mine[(page - 1) * size : page * size], total=len(mine))


@app.post("/api/v1/projects/{project_id}/notes")
def create_note(project_id: int, body: NoteIn) -> Note:
    found(projects, project_id)
    note = Note(note_id=next(numbers), project_id=project_id, **body.model_dump())
    notes[note.note_id] = note
    return note


@app.get("/api/v1/projects/{project_id}/notes/{note_id}")
def read_note(project_id: int, note_id: int) -> Note:
    return found(notes, note_id)


@app.patch("/api/v1/projects/{project_id}/notes/{note_id}")
def change_note(project_id: int, note_id: int, body: NoteIn) -> Note:
    notes[note_id] = found(notes, note_id).model_copy(update=body.model_dump(exclude_unset=True))
    return notes[note_id]


def seed():
    for number in range(1, 26):
        project = create_project(ProjectIn(title=f"Project {number}", budget=Decimal("1.10"), due=date(2026, 1, number)))
        for each in range(number % 3):
            create_note(project.id, NoteIn(text=f"Note {each}"))


def watch_standard_input():
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    seed()
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=watch_standard_input, daemon=True).start()
    print(f"ready http://127.0.0.1:{listener.getsockname()[1]}/", flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])
