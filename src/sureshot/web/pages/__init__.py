"""The pages, one file each. A page parses a form, calls the campaign and shows what it answers."""

from fastapi import APIRouter
from fastapi.routing import APIRoute

from sureshot.web.pages import (
    bench,
    campaigns,
    desk,
    downloads,
    history,
    lab,
    login,
    making,
    pictures,
    plate,
    recording,
    results,
)

__all__ = ["router"]

router = APIRouter()
for _page in (
    campaigns,
    login,
    making,
    bench,
    desk,
    recording,
    plate,
    results,
    pictures,
    downloads,
    history,
    lab,
):
    for _route in _page.router.routes:
        if isinstance(_route, APIRoute) and _route.methods and "GET" in _route.methods:
            _route.methods.add("HEAD")  # which FastAPI leaves out
    router.include_router(_page.router)
