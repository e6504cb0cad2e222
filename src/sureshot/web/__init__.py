"""The web app: pages at the bench and an HTTP API, both thin shells over :class:`~sureshot.campaign.Campaign`."""

from sureshot.web.app import create_app
from sureshot.web.settings import Settings

__all__ = ["Settings", "create_app"]
