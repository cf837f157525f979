from __future__ import annotations

import pytest

from balance.reporting import Document, render_html, render_pdf
from tests.reporting.demo import demo


@pytest.fixture(scope="session")
def document() -> Document:
    return demo()


@pytest.fixture(scope="session")
def page(document: Document) -> str:
    return render_html(document)


@pytest.fixture(scope="session")
def paper(document: Document) -> bytes:
    return render_pdf(document)
