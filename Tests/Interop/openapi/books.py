"""A small django-ninja server whose OpenAPI document django-ninja writes itself; the interop tests start and stop it.

Books and their reviews in memory: pages by limit and offset in an envelope, a key in a header, PATCH, and errors as
django-ninja answers them. Prints `ready URL/` and ends when standard input closes.
"""

import itertools
import os
import signal
import socket
import threading
from datetime import date
from decimal import Decimal

import uvicorn
from django.conf import settings

settings.configure(DEBUG=False, SECRET_KEY="only for tests", ALLOWED_HOSTS=["127.0.0.1"], ROOT_URLCONF=__name__)

import django  # noqa: E402

django.setup()

from django.core.asgi import get_asgi_application  # noqa: E402
from django.urls import path  # noqa: E402
from ninja import NinjaAPI, Schema  # noqa: E402
from ninja.errors import HttpError  # noqa: E402
from ninja.pagination import LimitOffsetPagination, paginate  # noqa: E402
from ninja.security import APIKeyHeader  # noqa: E402


class Key(APIKeyHeader):
    param_name = "X-API-Key"

    def authenticate(self, request, key):
        return key if key == os.environ.get("BOOKS_KEY", "open-sesame") else None


api = NinjaAPI(title="Books", version="1.0", auth=Key())


class BookIn(Schema):
    title: str
    price: Decimal
    published: date | None = None


class Book(BookIn):
    id: int


class BookPatch(Schema):
    title: str | None = None
    price: Decimal | None = None
    published: date | None = None


class ReviewIn(Schema):
    text: str


class Review(ReviewIn):
    id: int


books: dict[int, dict] = {}
reviews: dict[int, dict[int, dict]] = {}
numbers = itertools.count(1)


def found(table, key):
    if key not in table:
        raise HttpError(404, "Not found")
    return table[key]


@api.get("/books", response=list[Book])
@paginate(LimitOffsetPagination)
def list_books(request):
    return list(books.values())


@api.post("/books", response={201: Book})
def create_book(request, body: BookIn):
    book = {"id": next(numbers), **body.dict()}
    books[book["id"]] = book
    reviews[book["id"]] = {}
    return 201, book


@api.get("/books/{book_id}", response=Book)
def read_book(request, book_id: int):
    return found(books, book_id)


@api.patch("/books/{book_id}", response=Book)
def change_book(request, book_id: int, body: BookPatch):
    found(books, book_id).update(body.dict(exclude_unset=True))
    return books[book_id]


@api.delete("/books/{book_id}", response={204: None})
def delete_book(request, book_id: int):
    found(books, book_id)
    del books[book_id], reviews[book_id]
    return 204, None


@api.get("/books/{book_id}/reviews", response=list[Review])
def list_reviews(request, book_id: int):
    return list(found(reviews, book_id).values())


@api.post("/books/{book_id}/reviews", response={201: Review})
def create_review(request, book_id: int, body: ReviewIn):
    review = {"id": next(numbers), **body.dict()}
    found(reviews, book_id)[review["id"]] = review
    return 201, review


@api.get("/books/{book_id}/reviews/{review_id}", response=Review)
def read_review(request, book_id: int, review_id: int):
    return found(found(reviews, book_id), review_id)


urlpatterns = [path("api/", api.urls)]


def seed():
    for number in range(1, 251):
        book = {
            "id": next(numbers), "title": f"Book {number}", "price": Decimal("9.90"), "published": date(2026, 1, 1)
        }
        books[book["id"]] = book
        reviews[book["id"]] = {}
    for number in (1, 2):
        review = {"id": next(numbers), "text": f"Review {number}"}
        reviews[number][review["id"]] = review


def watch_standard_input():
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    seed()
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(64)  # Who connects from now on waits until it is served.
    threading.Thread(target=watch_standard_input, daemon=True).start()
    print(f"ready http://127.0.0.1:{listener.getsockname()[1]}/", flush=True)
    server = uvicorn.Server(uvicorn.Config(get_asgi_application(), log_level="error", lifespan="off"))
    server.run(sockets=[listener])
