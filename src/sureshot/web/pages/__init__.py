"""The pages, one file each. A page parses a form, calls the campaign and shows what it answers."""

from fastapi import APIRouter

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
    router.include_router(_page.router)
