"""The referee of quests: it plays the campaign of one replay again, and says what is suspicious in it.

It is written from the rules, the tables and `docs/reference/games/quests.md` alone, without a look at the engine. What
the rules decide is worked out here; what is rolled, drawn or fought is taken from the events, where it is possible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from tests.games.battlelore.referee.game import Suspicion
from tests.games.battlelore.referee.referee import differences

Event = dict[str, Any]
State = dict[str, Any]
TOKENS = ("fire1", "fire2")


class LostError(Exception):
    """The record can be followed no further."""


def suspicions(document: dict[str, Any], columns: dict[str, int]) -> list[Suspicion]:
    """Return what is suspicious in one campaign, as `balance replay --json` tells it, and in its columns."""
    game = Game(document)
    try:
        won = all(quest(game, number) for number in range(len(game.record["quests"])))
        if won:
            home(game)
        game.compare()
        ranks = [hero["rank"] for hero in game.heroes.values()]
        own = {**game.counts, "winner": 1 if won else 2, "lowest_rank": min(ranks), "ranks": sum(ranks)}
        for name, value in columns.items():
            game.demand(own.get(name, 0) == value, "IS-SEQ.1", f"{name} is {value}, not {own.get(name, 0)}")
        game.demand(game.at == len(game.events), "IS-HP.7", f"{game.next_event} comes after the end")
    except LostError:
        pass
    return game.suspicions


class Game:
    """The referee's own state, which the rules change, beside that which the events tell."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.record: dict[str, Any] = {**document["record"]}
        for table in ("treasures", "traps", "searches", "decisions"):
            self.record[table] = {row["id"]: row for row in self.record[table]}
        self.state: State = deepcopy(document["begin"])
        self.told: State = deepcopy(document["begin"])
        self.events: list[Event] = [event for line in document["lines"] for event in line["events"]]
        self.at, self.actions, self.suspicions = 0, 0, list[Suspicion]()
        self.decks: dict[str, tuple[Counter[str], Counter[str]]] = {}
        self.counts: Counter[str] = Counter()
        self.worn: Counter[str] = Counter()
        self.rule, self.start_crowns, self.way = "IS-SEQ.1", 0, str(self.record["way"])
        self.lost_basics: list[tuple[str, str]] = []

    @property
    def next_event(self) -> Event:
        return self.events[self.at] if self.at < len(self.events) else {"event": "nothing"}

    @property
    def heroes(self) -> dict[str, State]:
        heroes: dict[str, State] = self.state["heroes"]
        return heroes

    @property
    def in_play(self) -> list[str]:
        return [name for name, hero in self.heroes.items() if not hero["ghost"]]

    @property
    def quest(self) -> dict[str, Any]:
        quest: dict[str, Any] = self.record["quests"][self.state["quest"]]
        return quest

    def by_rank(self, name: str, what: str) -> int:
        return int(self.record["heroes"][name][what][self.heroes[name]["rank"] - 1])

    def health(self, name: str) -> int:
        """Return the wounds that a hero can still take."""
        hero = self.heroes[name]
        return self.by_rank(name, "health") - int(hero["conditions"].get("frail", 0)) - int(hero["wounds"])

    def carries(self, name: str, treasure: str) -> int:
        return int(self.heroes[name]["treasures"].count(treasure))

    def sort(self, treasures: list[str]) -> list[str]:
        """Return treasures in the order of their table."""
        return sorted(treasures, key=list(self.record["treasures"]).index)

    def has_room(self, name: str) -> bool:
        hero = self.heroes[name]
        return len(hero["treasures"]) + int(hero["items"]) < int(self.record["heroes"][name]["carry"])

    def opener(self) -> str:
        return max(self.in_play, key=self.health) if self.way == "careful" else self.in_play[0]

    def demand(self, holds: object, rule: str, sentence: str) -> None:
        if not holds:
            self.suspicions.append(Suspicion(self.at, rule, sentence))

    def compare(self) -> None:
        """Hold the two states against each other, and go on from that which is told."""
        for name, hero in self.told["heroes"].items():  # items of the dead are picked up without a word
            fits = len(hero["treasures"]) + hero["items"] <= self.record["heroes"][name]["carry"]
            self.demand(fits, "IS-ITEM.11", f"{name} carries more than he may")
            self.heroes[name]["items"] = hero["items"]
        for words in differences(self.state, self.told):
            self.demand(False, self.rule, f"after {self.events[self.at - 1] if self.at else 'the start'}: {words}")
            self.state = deepcopy(self.told)

    def take(self, kind: str, rule: str, **says: Any) -> Event:
        """Return the next event, which must be of this kind and say this."""
        self.compare()
        event, self.rule = self.next_event, rule
        if event["event"] != kind:
            self.demand(False, rule, f"{kind} {says} should come, not {event}")
            raise LostError
        self.at += 1
        for key, value in says.items():
            self.demand(event.get(key) == value, rule, f"{kind} has {key} {event.get(key)}, not {value}")
        for key, value in (event.get("after") or {}).items():
            if key == "heroes":
                for name, fields in value.items():
                    self.told["heroes"][name].update(deepcopy(fields))
            else:
                self.told[key] = deepcopy(value)
        return event

    def draw(self, kind: str, rule: str, **says: Any) -> dict[str, Any] | None:
        """Return the card that is drawn, if any is there; discards are shuffled in when none is left."""
        deck, discards = self.decks[kind]
        if not deck.total():
            deck.update(discards)
            discards.clear()
        if not deck.total():
            return None
        event = self.take(kind, rule, **says)
        row: dict[str, Any] = self.record[f"{kind}s"][event["card"]]
        self.demand(deck[row["id"]] > 0, rule, f"{row['id']} is not in the deck")
        deck[row["id"]] -= 1
        same = all(event[key] == row[key] for key in ("radius", "crowns") if key in event)
        self.demand(same, rule, f"{event} is not as printed")
        return row


def quest(game: Game, number: int) -> bool:
    """Come home from the quest before and visit the Emporium, play the rooms, and return whether the quest is won."""
    if number:
        home(game)
        emporium(game)
    shuffle(game)
    game.start_crowns = sum(hero["crowns"] for hero in game.heroes.values())
    for at, room in enumerate(rooms := game.quest["rooms"]):
        needed = room["key"] and room["key"] in [later["lock"] for later in rooms[at + 1 :] if not later["side"]]
        if room["side"] and game.way != "greedy" and not needed:
            continue
        if why := enter(game, at, room, bool(needed)):
            game.take("failed", {"ghosts": "IS-HP.7", "key": "IS-TERR.6"}.get(why, "IS-EVT.5"), why=why)
            return False
    game.counts["quests"] += 1
    return True


def shuffle(game: Game) -> None:
    """Make the decks of a quest: all cards but those that heroes carry."""
    owned = Counter(card for hero in game.heroes.values() for card in hero["treasures"])
    rows = [row for row in game.record["treasures"].values() if row["act"] <= game.quest["act"]]
    worn = Counter({row["id"]: game.worn[row["id"]] for row in rows})
    cards = Counter({row["id"]: row["copies"] - owned[row["id"]] - worn[row["id"]] for row in rows})
    traps = Counter({row["id"]: row["copies"] for row in game.record["traps"].values()})
    game.decks = {"treasure": (+cards, +worn), "trap": (+traps, Counter())}


def enter(game: Game, number: int, room: dict[str, Any], needed: bool) -> str:
    """Play one room, and return why the quest has failed there, if it has."""
    game.take("room", "IS-TERR.5", room=room["id"])
    game.state["room"], game.actions = number, 0
    game.counts["rooms"] += 1
    buy_ranks(game)
    if game.way == "careful":
        prepare(game)
    return (
        door(game, room)
        or encounter(game, room)
        or decide(game, room)
        or chests(game, room, needed)
        or searches(game, room)
        or time(game)
    )


def buy_ranks(game: Game) -> None:
    """Let heroes rise as long as one may (IS-ECO.1, IS-HP.10)."""
    costs = game.record["constants"]["rank_costs"]
    while game.record["purse"] != "saving":
        party = game.heroes if game.record["ghosts_hold_ranks_back"] else game.in_play
        lowest = min(game.heroes[name]["rank"] for name in party)
        risers = [name for name in game.in_play if game.heroes[name]["rank"] == lowest < len(costs)]
        if not risers or costs[lowest] > game.state["pool"]:
            return
        game.take("rank", "IS-ECO.1", hero=risers[0], to=lowest + 1, cost=costs[lowest])
        had_none = not game.by_rank(risers[0], "heals")
        game.heroes[risers[0]]["rank"] += 1
        if had_none:  # a power that is new is ready
            game.heroes[risers[0]]["ready"] = game.by_rank(risers[0], "heals") > 0
        game.state["pool"] -= costs[lowest]


def prepare(game: Game) -> None:
    """Heal, hand over pieces and rearrange, before a door (IS-ACT.15, IS-ACT.16)."""
    for name in game.in_play:
        target = max(game.in_play, key=lambda each: game.heroes[each]["wounds"])
        wounds = min(game.by_rank(name, "heals"), game.heroes[target]["wounds"])
        if game.heroes[name]["ready"] and wounds:
            game.take("heal", "IS-HP.1", hero=name, target=target, wounds=wounds)
            game.heroes[target]["wounds"] -= wounds
            game.heroes[name]["ready"] = False
    for bearer, piece in pieces(game):
        card = next_card(game)
        if card is None or card["hero"] not in game.in_play:
            continue
        wearer = card["hero"]
        if game.record["treasures"][piece]["copies"] > 1 and game.next_event.get("treasure") != piece:
            continue  # which of equal cards comes first decides whether there is room
        if bearer != wearer:
            if not game.has_room(wearer):
                continue
            game.take("exchange", "IS-ACT.16", giver=bearer, receiver=wearer, treasure=piece)
            game.heroes[bearer]["treasures"].remove(piece)
            put(game, wearer, piece)
            game.actions += 1
        game.take("rearrange", "IS-ACT.15", hero=wearer, treasure=piece, card=card["card"])
        wear(game, wearer, piece)
        game.actions += 1


def bearers(game: Game, treasure: str) -> Iterator[str]:
    """Yield who carries a treasure, as often as he does; of equal cards the next event says whose comes first."""
    left = Counter({name: game.carries(name, treasure) for name in game.heroes})
    while +left:
        changes = game.next_event.get("after", {}).get("heroes", {}).items()
        told = [game.next_event.get("giver"), *(name for name, hero in changes if "treasures" in hero)]
        name = next(name for name in [*told, *left] if left[name])
        left[name] -= 1
        yield name


def pieces(game: Game) -> Iterator[tuple[str, str]]:
    """Yield who carries which piece of gear, in the order of the table."""
    rows = [row["id"] for row in game.record["treasures"].values() if row["gear"]]
    return ((bearer, piece) for piece in rows for bearer in bearers(game, piece))


def next_card(game: Game) -> dict[str, Any] | None:
    """Return the first card of the ladder that nobody wears."""
    cards: list[dict[str, Any]] = game.record["gear"]["cards"]
    return next((card for bit, card in enumerate(cards) if not game.state["gear"] >> bit & 1), None)


def put(game: Game, name: str, treasure: str) -> None:
    game.heroes[name]["treasures"] = game.sort([*game.heroes[name]["treasures"], treasure])


def wear(game: Game, name: str, piece: str) -> None:
    cards = game.record["gear"]["cards"]
    game.state["gear"] |= 1 << cards.index(next_card(game))
    away(game, name, piece)


def away(game: Game, name: str, treasure: str) -> None:
    """Discard a treasure that a hero carries."""
    game.heroes[name]["treasures"].remove(treasure)
    game.decks["treasure"][1][treasure] += 1


def door(game: Game, room: dict[str, Any]) -> str:
    """Take off the lock and open the door, which springs a trap (IS-TERR.5, IS-TERR.6)."""
    if room["lock"]:
        holder = game.state["keys"].get(room["lock"])
        if holder not in game.in_play:
            return "key"
        game.take("unlock", "IS-TERR.6", hero=holder, colour=room["lock"])
    if room["door"] == "none":
        return ""
    how = {"unlocked": "open", "locked": "smash"}[room["door"]]
    opener = game.opener()
    game.take("door", "IS-TERR.5", opener=opener, how=how)
    game.actions += how == "smash"
    return trap(game, opener, "door")


def trap(game: Game, opener: str, at: str) -> str:
    """Draw a trap; everybody in its radius saves (IS-SAVE.4)."""
    card = game.draw("trap", "IS-SAVE.4", opener=opener, at=at)
    if card is None:
        return ""
    game.decks["trap"][1][card["id"]] += 1
    game.counts["traps"] += 1
    others = 2 if game.way == "careful" else 1
    distance = {name: others if name != opener else int(at == "door") for name in game.in_play}
    failed = [name for name in game.in_play if distance[name] <= card["radius"] and not save(game, name)]
    return harm(game, failed, card, "trap")


def save(game: Game, name: str) -> bool:
    """Return whether a hero saves: any of his dice shows his result (IS-SAVE.1)."""
    row, sides = game.record["heroes"][name], game.record["dice"]["blue"]
    event = game.take("save", "IS-SAVE.4", hero=name)
    game.demand(len(event["faces"]) == row["save_dice"], "IS-SAVE.3", f"{name} saves with {event['faces']}")
    success = any(row["save"] in sides[face - 1] for face in event["faces"])
    game.demand(event["success"] == success, "IS-SAVE.1", f"{name} ({row['save']}) rolls {event['faces']}")
    return success


def harm(game: Game, names: list[str], card: dict[str, Any], cause: str) -> str:
    """Deal wounds and a condition to heroes, and make ghosts of the dead (IS-COND.2, IS-COND.5, IS-HP.3)."""
    condition = card.get("condition", "none")
    kind, level = ("poison", int(condition[-1])) if condition.startswith("poison") else (condition, 1)
    for name in names if card["wounds"] or kind != "none" else ():
        old = game.heroes[name]["conditions"].get(kind, 0)
        wounds = card["wounds"] + game.record["constants"]["repeated_wounds"] * (old > 0 and kind not in TOKENS)
        wounds = min(wounds, game.health(name))
        says = {"condition": None if kind == "none" else condition}
        game.take("wounds", "IS-SAVE.4", hero=name, wounds=wounds, cause=cause, **says)
        if kind != "none":
            game.heroes[name]["conditions"][kind] = old + 1 if kind in TOKENS else max(old, level)
        game.heroes[name]["wounds"] += wounds
        game.counts["wounds"] += wounds
    for name in [name for name in game.in_play if game.health(name) <= 0]:
        game.take("death", "IS-HP.3", hero=name)
        rank = max(1, game.heroes[name]["rank"] - game.record["constants"]["ranks_lost"])
        game.heroes[name].update(rank=rank, ghost=True, wounds=0, ready=False, conditions={})
        game.counts["deaths"] += 1
        drop(game, name)
    return gather(game)


def drop(game: Game, name: str) -> None:
    hero, state = game.heroes[name], game.state
    keys = [colour for colour, holder in state["keys"].items() if holder == name]
    game.take("drop", "IS-HP.3", hero=name, crowns=hero["crowns"], treasures=hero["treasures"], keys=keys)
    hero, lies = game.heroes[name], game.state["lies"]
    lies["crowns"] += hero["crowns"]
    lies["treasures"] = game.sort(lies["treasures"] + hero["treasures"])
    lies["keys"] = lies["keys"] + keys
    hero.update(crowns=0, treasures=[])
    game.state["keys"] = {colour: holder for colour, holder in game.state["keys"].items() if colour not in keys}


def gather(game: Game) -> str:
    """Pick up what the dead dropped, and return why the quest has failed if nobody is left to do so (IS-ACT.19)."""
    if not game.in_play:
        return "ghosts"
    first = game.in_play[0]
    if crowns := game.state["lies"]["crowns"]:
        game.take("pick_up", "IS-ACT.19", hero=first, crowns=crowns)
        game.heroes[first]["crowns"] += crowns
        game.state["lies"]["crowns"] = 0
    for key in list(game.state["lies"]["keys"]):
        game.take("pick_up", "IS-TERR.6", hero=first, key=key)
        game.state["lies"]["keys"].remove(key)
        game.state["keys"][key] = first
    for card in list(game.state["lies"]["treasures"]):
        carry(game, card, game.in_play)
        game.state["lies"]["treasures"].remove(card)
    return ""


def carry(game: Game, card: str, order: list[str]) -> None:
    """Let the first hero take a treasure who has room for it (IS-ITEM.11)."""
    taker = next((name for name in order if game.has_room(name)), None)
    if taker is None:
        game.take("leave", "IS-ITEM.11", treasure=card)
        return
    game.take("pick_up", "IS-ITEM.11", hero=taker, treasure=card)
    put(game, taker, card)


def draw_treasures(game: Game, finder: str, number: int) -> None:
    """Draw treasures; what shows crowns is crowns at once (IS-ECO.5)."""
    for _ in range(number):
        row = game.draw("treasure", "IS-ECO.11", hero=finder)
        if row is None:
            return
        if row["crowns"]:
            game.heroes[finder]["crowns"] += row["crowns"]
            game.decks["treasure"][1][row["id"]] += 1
        else:
            carry(game, row["id"], [finder, *(name for name in game.in_play if name != finder)])


def encounter(game: Game, room: dict[str, Any]) -> str:
    """Take an encounter as it is told, where it may be so; who died in it has dropped all (IS-HP.3)."""
    if not room["encounter"]:
        return ""
    before = deepcopy(game.state)
    event = game.take("encounter", "IS-SEQ.1", encounter=room["encounter"])
    told = game.told
    game.counts.update({name: event[name] for name in ("rounds", "wounds", "deaths", "soul_points")})
    game.demand(told["rounds"] == before["rounds"] + event["rounds"], "IS-SEQ.1", "rounds do not add up")
    for name, hero in told["heroes"].items():
        old, died = before["heroes"][name], name in event["died"]
        game.demand(died or hero["rank"] == old["rank"], "IS-HP.10", f"{name} changes rank in an encounter")
        game.demand(died or hero["ghost"] <= old["ghost"], "IS-HP.3", f"{name} is a ghost and has not died")
        game.demand(hero["treasures"] == old["treasures"], "IS-ECO.4", f"{name} has other treasures")
        game.demand(not hero["ghost"] or not hero["conditions"], "IS-COND.15", f"{name} is a ghost with conditions")
    game.state = deepcopy(told)
    if event["winner"] != 1:
        return "encounter"
    for name in event["died"]:
        drop(game, name)
    return gather(game)


def decide(game: Game, room: dict[str, Any]) -> str:
    """Decide by the alignment of the first hero in play (IS-ECO.13)."""
    if not room["decision"]:
        return ""
    hero = game.in_play[0]
    alignment = game.record["heroes"][hero]["alignment"]
    rows = game.record["decisions"].values()
    row = next(row for row in rows if row["decision"] == room["decision"] and row["alignment"] == alignment)
    game.take(
        "decision", "IS-ECO.13", decision=room["decision"], hero=hero, alignment=alignment,
        crowns=row["crowns"], soul_points=row["soul_points"],
    )  # fmt: skip
    return gain(game, hero, row, "decision")


def gain(game: Game, hero: str, row: dict[str, Any], cause: str) -> str:
    """Apply what a decision or a search brings."""
    game.heroes[hero]["crowns"] += row["crowns"]
    game.state["pool"] += row["soul_points"]
    game.counts["soul_points"] += row["soul_points"]
    draw_treasures(game, hero, row["treasures"])
    return harm(game, [hero], row, cause)


def take_key(game: Game, hero: str, room: dict[str, Any], place: str) -> None:
    if room["key"] and room["key_place"] == place:
        game.take("key", "IS-TERR.6", hero=hero, colour=room["key"], place=place)
        game.state["keys"][room["key"]] = hero


def chests(game: Game, room: dict[str, Any], needed: bool) -> str:
    """Take the key, and open chests: a trap, then treasures by their number (IS-ECO.11, IS-ACT.13)."""
    take_key(game, game.in_play[0], room, "floor")
    for number, value in enumerate(room["chests"]):
        if game.way != "greedy" and (number or not needed or room["key_place"] != "chest"):
            return ""
        opener = game.opener()
        game.actions += 1
        if why := trap(game, opener, "chest"):
            return why
        opener = opener if opener in game.in_play else game.opener()
        game.take("chest", "IS-ECO.11", hero=opener, number=value)
        if not number:
            take_key(game, opener, room, "chest")
        draw_treasures(game, opener, value)
    return ""


def searches(game: Game, room: dict[str, Any]) -> str:
    """Search each token once: a red die, of whose results those on the token are applied (IS-ACT.17)."""
    for token in room["searches"] if game.way != "hasty" else []:
        hero = game.opener()
        event = game.take("search", "IS-ACT.17", hero=hero, token=token)
        game.actions += 1
        shown = list(dict.fromkeys(game.record["dice"]["red"][event["face"] - 1]))
        rows = [row for result in shown for row in game.record["searches"].values()
                if (row["token"], row["result"]) == (token, result)]  # fmt: skip
        sums = {key: sum(row[key] for row in rows) for key in ("crowns", "soul_points", "treasures", "wounds")}
        for key, value in {**sums, "results": shown}.items():
            game.demand(event.get(key, value) == value, "IS-ACT.17", f"{token}, face {event['face']}: {value} {key}")
        if why := gain(game, hero, sums, "search"):
            return why
    return ""


def time(game: Game) -> str:
    """Count the actions of the room as rounds; the last event must not be gone (IS-EVT.5)."""
    if game.actions:
        per_round = sum(max(1, game.by_rank(name, "actions")) for name in game.in_play)
        rounds = -(-game.actions // per_round)
        game.take("time", "IS-EVT.5", actions=game.actions, rounds=rounds)
        game.state["rounds"] += rounds
        game.counts["rounds"] += rounds
    return "events" if game.state["rounds"] > game.quest["rounds"] else ""


def home(game: Game) -> None:
    """Come home: each ghost loses something, and what is forged turns back (IS-HP.8, IS-ECO.9)."""
    crowns = sum(hero["crowns"] for hero in game.heroes.values()) - game.start_crowns
    treasures = sum(len(hero["treasures"]) for hero in game.heroes.values())
    game.take("home", "IS-ECO.4", crowns=crowns, treasures=treasures)
    game.counts.update({"crowns_home": crowns, "treasures_home": treasures})
    cards, worn = game.record["gear"]["cards"], game.record["gear"]["worn"]
    game.lost_basics = []
    for name in [name for name, hero in game.heroes.items() if hero["ghost"]]:
        choices = worn[str(game.state["gear"])][name]
        if not choices:
            continue
        event = game.take("item_lost", "IS-HP.8", hero=name)
        game.demand(event["card"] in choices, "IS-HP.8", f"{name} does not wear {event['card']}")
        bits = [bit for bit, card in enumerate(cards) if (card["hero"], card["card"]) == (name, event["card"])]
        game.demand(event["basic"] == (not bits), "IS-HP.8", f"{event['card']} of {name}: basic {event['basic']}")
        for bit in bits:
            game.state["gear"] &= ~(1 << bit)
        plain = worn[str(game.state["gear"] % (1 << len(cards)))][name]  # what is forged turns back
        game.lost_basics += [] if bits else [(name, plain[choices.index(event["card"])])]
        game.counts["items_lost"] += 1


def emporium(game: Game) -> None:
    """Rest, and visit the Emporium before the next quest."""
    game.take("rest", "IS-HP.2")
    gear = game.state["gear"] % (1 << len(game.record["gear"]["cards"]))
    game.state.update(quest=game.state["quest"] + 1, room=-1, rounds=0, keys={}, gear=gear)
    for name, hero in game.heroes.items():
        hero.update(
            wounds=0,
            ghost=False,
            conditions={},
            ready=game.by_rank(name, "heals") > 0,
            items=game.told["heroes"][name]["items"],
        )
    game.worn = Counter()
    for name, card in game.lost_basics:
        game.take("stash", "IS-ECO.8", hero=name, card=card)
    for bearer, piece in pieces(game):
        if (missing := next_card(game)) is not None:
            game.take("wear", "IS-ECO.6", hero=missing["hero"], treasure=piece, card=missing["card"])
            wear(game, bearer, piece)
            game.worn[piece] += 1
    sell(game)
    if game.record["purse"] == "gamble":
        gamble(game)
    ladders = ("cards", "forging") if game.record["purse"] == "cards" else ("forging", "cards")
    for ladder in ladders if game.record["purse"] != "saving" else ():
        buy(game, ladder)


def sell(game: Game) -> None:
    for card, row in game.record["treasures"].items():
        for name in bearers(game, card):
            crowns = game.record["constants"]["sale_per_act"] * row["act"]
            game.take("sale", "IS-ECO.7", hero=name, treasure=card, crowns=crowns)
            away(game, name, card)
            game.heroes[name]["crowns"] += crowns


def gamble(game: Game) -> None:
    """Play once each at the Rising Pony, for the best expected prize (IS-ECO.10)."""
    rule, sides = game.record["constants"], game.record["dice"]["blue"]
    prizes = dict(zip(rule["pony_results"], rule["pony_prizes"], strict=True))
    best = max(prizes, key=lambda result: prizes[result] * sum(result in side for side in sides))
    for name in game.heroes:
        if game.heroes[name]["crowns"] >= rule["pony_stake"]:
            event = game.take("pony", "IS-ECO.10", hero=name, result=best)
            prize = prizes[best] if best in sides[event["face"] - 1] else 0
            game.demand(event["prize"] == prize, "IS-ECO.10", f"face {event['face']} pays {prize}")
            game.heroes[name]["crowns"] += prize - rule["pony_stake"]


def buy(game: Game, ladder: str) -> None:
    """Buy what is missing on a ladder, in order, until something is too dear (IS-ECO.6, IS-ECO.9)."""
    cards = game.record["gear"]["cards"]
    for step, row in enumerate(game.record["gear"][ladder]):
        if ladder == "cards" and game.state["gear"] >> step & 1:
            continue
        if sum(hero["crowns"] for hero in game.heroes.values()) < row["price"]:
            return
        paid: dict[str, int] = {}
        for name in sorted(game.heroes, key=lambda name: name != row["hero"]):
            paid[name] = min(row["price"] - sum(paid.values()), game.heroes[name]["crowns"])
        paid = {name: crowns for name, crowns in paid.items() if crowns}
        kind, rule = ("purchase", "IS-ECO.6") if ladder == "cards" else ("forge", "IS-ECO.9")
        game.take(kind, rule, hero=row["hero"], card=row["card"], price=row["price"], paid=paid)
        for name, crowns in paid.items():
            game.heroes[name]["crowns"] -= crowns
        game.state["gear"] += 1 << (step if ladder == "cards" else len(cards))
