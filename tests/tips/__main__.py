"""Run `python -m tests.tips` to write down which case reaches each place that builds a tip.

With words behind it only cases whose names hold one of them are run, the rest stays as it is written down.
"""

from __future__ import annotations

import sys

from tests.tips.cases import cases
from tests.tips.following import reached_by, sites
from tests.tips.record import RECORD, case_by_site, written


def main() -> None:
    """Run the cases, write the record, and tell which are wrong and which places none of them reaches."""
    names = [name for name in cases() if not sys.argv[1:] or any(word in name for word in sys.argv[1:])]
    record = {site: case for site, case in case_by_site().items() if case in cases() and case not in names}
    for name in names:
        for site in reached_by(cases()[name]):
            record.setdefault(site, name)
        try:
            cases()[name].check()
        except AssertionError as error:
            print(f"-- {name}\n{error}\n")
    known = [site.name for site in sites()]
    RECORD.write_text(written({site: record[site] for site in known if site in record}), "utf-8")
    print("\n".join(["No case reaches:", *(site for site in known if site not in record)]))


if __name__ == "__main__":
    main()
