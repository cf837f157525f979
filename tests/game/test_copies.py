from balance.game import Copies


def test_copies_count_what_members_take_and_how_many_there_are() -> None:
    found = Copies.of([[("rat", 4), ("axe", 2)], [], [("axe", 2), ("ogre", 1), ("axe", 2)]])
    assert found.available.tolist() == [4, 2, 1]
    assert found.per_unit.tolist() == [[1, 1, 0], [0, 0, 0], [0, 2, 1]]
