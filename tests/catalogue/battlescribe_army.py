"""A small army of our own invention in BattleScribe's format: a catalogue and the game system that it links to."""

from __future__ import annotations

SYSTEM = """<?xml version="1.0" encoding="UTF-8"?>
<gameSystem id="sys" name="Toy Wars" xmlns="http://www.battlescribe.net/schema/gameSystemSchema">
  <costTypes><costType id="ct" name="pts"/></costTypes>
  <profileTypes>
    <profileType id="pu" name="Unit"><characteristicTypes/></profileType>
    <profileType id="pw" name="Weapon"/>
  </profileTypes>
  <categoryEntries><categoryEntry id="hq" name="Leader"/><categoryEntry id="inf" name="Infantry"/></categoryEntries>
  <sharedSelectionEntries>
    <selectionEntry id="club" name="Club" type="upgrade">
      <infoLinks><infoLink id="l9" targetId="clubp" type="profile"/></infoLinks>
      <costs><cost typeId="ct" value="2.5"/></costs>
    </selectionEntry>
    <selectionEntry id="unused" name="Unused" type="upgrade">
      <infoLinks><infoLink id="l8" targetId="clubp" type="profile"/></infoLinks>
    </selectionEntry>
  </sharedSelectionEntries>
  <sharedRules><rule id="brave" name="Brave"><description>Never runs.</description></rule></sharedRules>
  <sharedProfiles>
    <profile id="clubp" name="Club" typeId="pw" typeName="Weapon">
      <characteristics><characteristic name="S" typeId="s">+1</characteristic></characteristics>
    </profile>
  </sharedProfiles>
</gameSystem>
"""

CATALOGUE = """<?xml version="1.0" encoding="UTF-8"?>
<catalogue id="cat" name="Trolls" gameSystemId="sys" xmlns="http://www.battlescribe.net/schema/catalogueSchema">
  <entryLinks>
    <entryLink id="e1" name="New EntryLink" targetId="troll" type="selectionEntry">
      <categoryLinks><categoryLink id="c1" name="New CategoryLink" targetId="hq" primary="true"/></categoryLinks>
    </entryLink>
  </entryLinks>
  <selectionEntries>
    <selectionEntry id="goblin" name="Goblin &amp; Söhne" type="unit">
      <modifiers><modifier type="set" field="name" value="Hobgoblin"/></modifiers>
      <profiles>
        <profile id="gp" name="Goblin" typeId="pu" typeName="Unit">
          <characteristics>
            <characteristic name="M" typeId="m">4"</characteristic>
            <characteristic name="W" typeId="w">1</characteristic>
          </characteristics>
        </profile>
      </profiles>
      <categoryLinks><categoryLink id="c2" name="Foot" targetId="inf"/></categoryLinks>
      <costs><cost name="pts" typeId="ct" value="3.0"/></costs>
    </selectionEntry>
  </selectionEntries>
  <sharedSelectionEntries>
    <selectionEntry id="troll" name="Troll" type="unit">
      <infoLinks><infoLink id="i1" name="Brave" targetId="brave" type="rule"/></infoLinks>
      <profiles>
        <profile id="tp" name="Troll" typeId="pu">
          <characteristics>
            <characteristic name="M" typeId="m">6"</characteristic>
            <characteristic name="W" typeId="w">4</characteristic>
          </characteristics>
        </profile>
      </profiles>
      <selectionEntryGroups>
        <selectionEntryGroup id="g1" name="Arms">
          <selectionEntries><selectionEntry id="fists" name="Fists" type="upgrade"/></selectionEntries>
          <entryLinks><entryLink id="e2" name="" targetId="club" type="selectionEntry"/></entryLinks>
        </selectionEntryGroup>
      </selectionEntryGroups>
      <costs><cost name="pts" typeId="ct" value="25"/></costs>
    </selectionEntry>
  </sharedSelectionEntries>
</catalogue>
"""

ROSTER = """<?xml version="1.0" encoding="UTF-8"?>
<roster id="r" name="Mine" gameSystemId="sys" xmlns="http://www.battlescribe.net/schema/rosterSchema">
  <forces><force id="f" name="Band"><selections>
    <selection id="s1" name="Troll" entryId="e1::troll" number="2" type="unit">
      <profiles><profile id="tp" name="Troll" typeId="pu" typeName="Unit">
        <characteristics><characteristic name="W" typeId="w">4</characteristic></characteristics>
      </profile></profiles>
      <selections><selection id="s2" name="Club" number="2" type="upgrade"/></selections>
      <costs><cost name="pts" typeId="ct" value="50.0"/></costs>
      <categories><category id="k" name="Leader" entryId="hq" primary="true"/></categories>
    </selection>
  </selections></force></forces>
</roster>
"""

ARMY = {"army.cat": CATALOGUE, "army.gst": SYSTEM}
"""File name -> its text."""
