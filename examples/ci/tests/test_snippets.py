import pytest

from snippets import Snippets


@pytest.fixture(scope="module")
def snippets(freehold):
    return Snippets(freehold.call)


def test_a_command_prints(snippets):
    assert snippets.run(["sh", "-c", "echo $((6 * 7))"]) == "42\n"


def test_a_command_fails(snippets, freehold):
    with pytest.raises(RuntimeError, match="no such file|No such file"):
        snippets.run(["cat", "/none"])
    assert [box for box in freehold.call("GET", "/v2/sandboxes")["sandboxes"] if box["state"] == "RUNNING"] == []
