import pytest
import runpod


@pytest.fixture(autouse=True, scope="session")
def key(freehold):
    runpod.api_key = freehold.key
