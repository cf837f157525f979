/* Whole battles of Warforged, greedy against greedy, one after another: the plain Python engine's way, in C.
 *
 * It is handed tables (lines, covers, walks, values of attacks, cards) and the luck of each battle, and rolls the dice
 * that the other engines roll. Default rule options on a map without objectives; hexes or squares.
 *
 * play(tables, n, kinds[n][2][K], keys[n], found[n][4 + 2 K]): winner, rounds, decisions, events, health of each unit.
 */
#include <stdint.h>
#include <string.h>

#define MOST_UNITS 64
#define MOST_CELLS 512
#define MOST_BURNS 8
#define FAR 255
enum { END, ATTACK, MOVE, JUMP, RAISE, EXPLODE };
enum { DOWN, UP, BURNT_OUT };
enum { PRECISION, SLIM, SHIELD, BURN, ARMOUR, CHOICE, UNITS_FIRST, UNITS_SECOND, BASE_FIRST, BASE_SECOND };

/* As `battles.FIELDS` has it: numbers first, then arrays. N cells, numbered as in `core/board.py`; tables of two cells
 * are [N + 1][N + 1] by cell + 1. */
typedef struct {
    int32_t n_cells, n_units, n_base, n_neighbours, ray_length, n_slots, n_bodies, n_armours, n_covers, n_healths;
    int32_t limit, round_limit, max_moves, rapid_attacks, special_faces, dodge_faces, keep_faces, burn_faces;
    int32_t blocking_faces, burn_attacks, smallest_damage, splash_damage, emp_turns, most_emp, friendly_fire;
    int32_t overload, precision_faces, health_decides;
    const uint64_t *salts;
    const uint8_t *seen, *through, *covers, *dice, *walks, *splash_near, *overload_near, *open, *enterable;
    const int32_t *neighbours, *rays, *relative, *bases;
    const int32_t *body, *speed, *health, *armour, *slim, *jump, *exploding, *raises, *first_shield, *slots;
    const int32_t *precision, *damage, *range, *laser, *piercing, *bursting, *disabling, *n_attacks, *taken;
} Tables;

typedef struct {
    int kind, cell, health, shield, emp, burn[MOST_BURNS], moves, done, order;
} Unit;

typedef struct {
    const Tables *t;
    uint64_t key;
    Unit units[2][MOST_UNITS];
    int base[2][MOST_CELLS];
    uint8_t occupied[MOST_CELLS + 1]; /* by cell + 1 */
    int events, choices, round, winner, side, left;
    int odd[3], flip[3]; /* how ties of this decision are broken */
} Battle;

typedef struct {
    int what, unit, slot, target, cell;
} Action;

/* Luck. */

static const uint64_t STEP = 0x9E3779B97F4A7C15u;

static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

static uint64_t begun(uint64_t key, int count) { return mix(key + STEP * ((uint64_t)count + 1)); }

static uint64_t word(const Tables *t, uint64_t base, int name, int place) {
    return mix(base + t->salts[name] + STEP * (uint64_t)place);
}

static int face(const Tables *t, uint64_t base, int name, int place, int faces) {
    return (int)(((word(t, base, name, place) >> 32) * (uint64_t)faces) >> 32) + 1;
}

static int shows(const Tables *t, uint64_t base, int name, int place, int32_t faces) {
    return faces >> face(t, base, name, place, t->special_faces) & 1;
}

static void look_at_ties(Battle *b) {
    uint64_t w = word(b->t, begun(b->key, b->choices), CHOICE, 0);
    for (int i = 0; i < 3; i++) {
        int part = (int)(w >> (18 * i)) & 0x3FFFF;
        b->odd[i] = (part & 511) | 1;
        b->flip[i] = part >> 9;
    }
}

static int tie(const Battle *b, int which, int cell) {
    return ((b->t->relative[b->side * b->t->n_cells + cell] * b->odd[which]) ^ b->flip[which]) & 511;
}

/* The board. */

static void put(Battle *b, Unit *unit, int cell) {
    if (unit->cell >= 0) b->occupied[unit->cell + 1] = 0;
    unit->cell = cell;
    if (cell >= 0) b->occupied[cell + 1] = 1;
}

static int at(const Tables *t, int from, int to) { return (from + 1) * (t->n_cells + 1) + to + 1; }

static int hits(const Tables *t, int weapon, int from, int to) {
    int distance = (t->laser[weapon] ? t->through : t->seen)[at(t, from, to)];
    return distance && distance <= t->range[weapon];
}

/* Where a unit may move: writes the cells, returns how many. */
static int moves(const Battle *b, const Unit *unit, int *found) {
    const Tables *t = b->t;
    uint8_t seen[MOST_CELLS] = {0};
    int queue[MOST_CELLS], n_found = 0, head = 0, tail = 1, slim = t->slim[unit->kind];
    queue[0] = unit->cell;
    seen[unit->cell] = 1;
    for (int made = 0, edge = 1; made < t->speed[unit->kind] && head < tail; made++, edge = tail) {
        for (; head < edge; head++) {
            const int32_t *next = t->neighbours + queue[head] * t->n_neighbours;
            for (int k = 0; k < t->n_neighbours; k++) {
                int cell = next[k];
                if (cell < 0 || seen[cell] || !t->enterable[cell]) continue;
                int taken = b->occupied[cell + 1];
                if (taken && !slim) continue;
                seen[cell] = 1;
                queue[tail++] = cell;
                if (!taken && t->open[cell]) found[n_found++] = cell;
            }
        }
    }
    return n_found;
}

static int jumps(const Battle *b, const Unit *unit, int *found) {
    const Tables *t = b->t;
    int n_found = 0;
    for (int way = 0; way < t->n_neighbours; way++) {
        const int32_t *ray = t->rays + (way * t->n_cells + unit->cell) * t->ray_length;
        for (int k = 0; k < t->speed[unit->kind] && k < t->ray_length && ray[k] >= 0; k++)
            if (t->open[ray[k]] && !b->occupied[ray[k] + 1]) found[n_found++] = ray[k];
    }
    return n_found;
}

/* Attacks and blasts. */

static int soft_armour(const Tables *t, const Unit *unit) {
    int left = t->armour[unit->kind];
    for (int k = 0; k < t->burn_attacks; k++) left -= unit->burn[k];
    return left > 0 ? left : 0;
}

typedef struct {
    int damage[2][MOST_UNITS], hostile[2][MOST_UNITS];
} Losses;

/* Who explodes after these losses: writes side, place and cell of each, returns how many. */
static int fallen(Battle *b, const Losses *losses, int (*found)[2]) {
    int n = 0;
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < b->t->n_units; k++) {
            Unit *unit = &b->units[side][k];
            if (unit->cell < 0 || !losses->damage[side][k]) continue;
            unit->health -= losses->damage[side][k];
            if (unit->health > 0) continue;
            unit->health = 0;
            if (b->t->exploding[unit->kind] && losses->hostile[side][k]) {
                found[n][0] = side;
                found[n++][1] = unit->cell;
            }
            put(b, unit, -1);
        }
    return n;
}

static void blast(const Battle *b, Losses *losses, const uint8_t *near, int side, int centre, int damage, int spared) {
    for (int other = 0; other < 2; other++) {
        if (other == side && !b->t->friendly_fire) continue;
        for (int k = 0; k < b->t->n_units; k++) {
            int cell = b->units[other][k].cell;
            if (cell < 0 || cell == spared || !near[at(b->t, centre, cell)]) continue;
            losses->damage[other][k] += damage;
            losses->hostile[other][k] |= other != side;
        }
    }
}

static void explosions(Battle *b, int (*centres)[2], int n) {
    while (n) {
        Losses losses;
        memset(&losses, 0, sizeof losses);
        for (int k = 0; k < n; k++)
            blast(b, &losses, b->t->overload_near, centres[k][0], centres[k][1], b->t->overload, -1);
        n = fallen(b, &losses, centres);
    }
}

static void explode(Battle *b, Unit *unit) {
    int centres[2 * MOST_UNITS][2] = {{b->side, unit->cell}};
    b->events++;
    unit->health = 0;
    put(b, unit, -1);
    explosions(b, centres, 1);
}

static void age_burns(const Tables *t, Unit *unit, int rolled) {
    int kept = 0;
    for (int k = 0; k + 1 < t->burn_attacks; k++) unit->burn[k] = unit->burn[k + 1];
    unit->burn[t->burn_attacks - 1] = rolled;
    for (int k = t->burn_attacks - 1; k >= 0; k--) {
        int most = t->armour[unit->kind] - kept;
        if (unit->burn[k] > most) unit->burn[k] = most;
        kept += unit->burn[k];
    }
}

static void attack(Battle *b, const Unit *shooter, int weapon, int place) {
    const Tables *t = b->t;
    Unit *target = &b->units[1 - b->side][place];
    uint64_t luck = begun(b->key, b->events++);
    int d10 = face(t, luck, PRECISION, 0, t->precision_faces);
    int hit = d10 <= t->precision[weapon];
    if (t->slim[target->kind] && shows(t, luck, SLIM, 0, t->dodge_faces)) hit = 0;
    int damage = 0, burn = 0;
    if (hit && target->shield != UP) {
        damage = t->damage[weapon];
        if (d10 != t->precision[weapon] && !t->piercing[weapon]) {
            int least = damage < t->smallest_damage ? damage : t->smallest_damage;
            int dice = soft_armour(t, target) + (t->laser[weapon] ? 0 : t->dice[at(t, shooter->cell, target->cell)]);
            for (int k = 0; k < dice; k++) damage -= shows(t, luck, ARMOUR, k, t->blocking_faces);
            if (damage < least) damage = least;
        }
    }
    if (hit && t->laser[weapon]) {
        burn = face(t, luck, BURN, 0, t->special_faces);
        if (!(t->burn_faces >> burn & 1)) burn = 0;
    }
    if (hit && target->shield == UP && !shows(t, luck, SHIELD, 0, t->keep_faces)) target->shield = BURNT_OUT;
    if (hit && t->disabling[weapon] && target->emp < t->emp_turns)
        target->emp = t->emp_turns < t->most_emp ? t->emp_turns : t->most_emp;
    age_burns(t, target, burn);
    if (!damage && !(hit && t->bursting[weapon])) return;
    int centres[2 * MOST_UNITS][2];
    Losses losses;
    memset(&losses, 0, sizeof losses);
    losses.damage[1 - b->side][place] = damage;
    losses.hostile[1 - b->side][place] = 1;
    if (hit && t->bursting[weapon])
        blast(b, &losses, t->splash_near, b->side, target->cell, t->splash_damage, target->cell);
    explosions(b, centres, fallen(b, &losses, centres));
}

/* Greedy play. */

static int value(const Battle *b, int weapon, const Unit *target, int dice) {
    const Tables *t = b->t;
    int place = weapon * t->n_bodies + t->body[target->kind];
    place = (place * t->n_armours + soft_armour(t, target)) * t->n_covers + (t->laser[weapon] ? 0 : dice);
    int taken = t->taken[place * t->n_healths + target->health];
    return target->shield == UP && taken > 1 ? 1 : taken;
}

static int able(const Unit *unit) { return unit->cell >= 0 && !unit->emp && !unit->done; }

static int best_target(const Battle *b, const Unit *shooter, int weapon, int64_t *best) {
    int found = -1;
    for (int k = 0; k < b->t->n_units; k++) {
        const Unit *target = &b->units[1 - b->side][k];
        if (target->cell < 0 || !hits(b->t, weapon, shooter->cell, target->cell)) continue;
        int taken = value(b, weapon, target, b->t->dice[at(b->t, shooter->cell, target->cell)]);
        int64_t key = (((int64_t)taken << 9 | tie(b, 0, shooter->cell)) << 9) | tie(b, 1, target->cell);
        if (taken > 0 && key > *best) *best = key, found = k;
    }
    return found;
}

static int raise_shield(const Battle *b, Action *action) {
    int best = -1;
    for (int k = 0; k < b->t->n_units; k++) {
        const Unit *unit = &b->units[b->side][k];
        if (!able(unit) || !b->t->raises[unit->kind] || unit->shield != DOWN) continue;
        if (tie(b, 0, unit->cell) > best) best = tie(b, 0, unit->cell), *action = (Action){RAISE, k, -1, -1, -1};
    }
    return best >= 0;
}

/* Health that an Overload takes from the enemies less from the own side. */
static int net_loss(const Battle *b, const Unit *unit) {
    int net = -unit->health;
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < b->t->n_units; k++) {
            const Unit *other = &b->units[side][k];
            if (other == unit || other->cell < 0 || !b->t->overload_near[at(b->t, unit->cell, other->cell)]) continue;
            int loss = other->health < b->t->overload ? other->health : b->t->overload;
            net += side != b->side ? loss : b->t->friendly_fire ? -loss : 0;
        }
    return net;
}

static int strike(const Battle *b, Action *action) {
    const Tables *t = b->t;
    int64_t best = 0, loudest = 0;
    for (int k = 0; k < t->n_units; k++) {
        const Unit *unit = &b->units[b->side][k];
        for (int slot = 0; able(unit) && slot < t->n_slots; slot++) {
            int target = best_target(b, unit, t->slots[unit->kind * t->n_slots + slot], &best);
            if (target >= 0) *action = (Action){ATTACK, k, slot, target, -1};
        }
    }
    int64_t most = best >> 18;
    for (int k = 0; k < t->n_units; k++) {
        const Unit *unit = &b->units[b->side][k];
        if (!able(unit) || !t->exploding[unit->kind]) continue;
        int64_t net = 1024 * (int64_t)net_loss(b, unit), key = net * 512 + tie(b, 0, unit->cell);
        if (net > 0 && net > most && key > loudest) loudest = key, *action = (Action){EXPLODE, k, -1, -1, -1};
    }
    return best > 0 || loudest > 0;
}

/* The cell among some from which a weapon hits another, without cover in between if there is one; -1 for none. */
static int firing_cell(const Battle *b, int weapon, int target, const int *cells, int n) {
    int best = -1, found = -1;
    for (int k = 0; k < n; k++) {
        if (!hits(b->t, weapon, cells[k], target)) continue;
        int clear = b->t->laser[weapon] || !b->t->covers[at(b->t, cells[k], target)];
        int key = clear << 9 | tie(b, 2, cells[k]);
        if (key > best) best = key, found = cells[k];
    }
    return found;
}

static int move_to_hit(const Battle *b, Action *action) {
    const Tables *t = b->t;
    int64_t best = 0;
    for (int k = 0; k < t->n_units; k++) {
        const Unit *unit = &b->units[b->side][k];
        if (!able(unit) || unit->moves >= t->max_moves) continue;
        int ends[MOST_CELLS], n = moves(b, unit, ends);
        for (int slot = 0; slot < t->n_slots; slot++) {
            int weapon = t->slots[unit->kind * t->n_slots + slot];
            for (int foe = 0; foe < t->n_units; foe++) {
                const Unit *target = &b->units[1 - b->side][foe];
                if (target->cell < 0) continue;
                int64_t taken = value(b, weapon, target, 0);
                int64_t key = ((taken << 9 | tie(b, 0, unit->cell)) << 9) | tie(b, 1, target->cell);
                if (taken <= 0 || key <= best) continue;
                int cell = firing_cell(b, weapon, target->cell, ends, n);
                if (cell >= 0) best = key, *action = (Action){MOVE, k, -1, -1, cell};
            }
        }
    }
    return best > 0;
}

static int walk(const Battle *b, int cell) {
    int least = FAR;
    for (int k = 0; k < b->t->n_units; k++) {
        int foe = b->units[1 - b->side][k].cell;
        if (foe >= 0 && b->t->walks[foe * b->t->n_cells + cell] < least) least = b->t->walks[foe * b->t->n_cells + cell];
    }
    return least;
}

static int approach(const Battle *b, int what, Action *action) {
    const Tables *t = b->t;
    int best = 0;
    for (int k = 0; k < t->n_units; k++) {
        const Unit *unit = &b->units[b->side][k];
        if (!able(unit) || (what == MOVE) == (unit->moves >= t->max_moves)) continue;
        if (what == JUMP && !t->jump[unit->kind]) continue;
        int ends[MOST_CELLS], n = what == MOVE ? moves(b, unit, ends) : jumps(b, unit, ends);
        int least = FAR, highest = -1, cell = -1;
        for (int end = 0; end < n; end++) {
            int left = walk(b, ends[end]), rank = tie(b, 2, ends[end]);
            if (left > least || (left == least && rank <= highest)) continue;
            least = left, highest = rank, cell = ends[end];
        }
        int gain = walk(b, unit->cell) - least;
        int key = gain * 512 + tie(b, 0, unit->cell);
        if (gain > 0 && key > best) best = key, *action = (Action){what, k, -1, -1, cell};
    }
    return best > 0;
}

static Action decide(Battle *b) {
    Action action = {END, -1, -1, -1, -1};
    look_at_ties(b);
    if (raise_shield(b, &action) || strike(b, &action)) return action;
    if (b->left >= 2 && move_to_hit(b, &action)) return action;
    if (!approach(b, MOVE, &action)) approach(b, JUMP, &action);
    return action;
}

/* Turns. */

static void enter(Battle *b, int side) {
    int next = 0;
    for (int rank = 0; rank < b->t->n_units; rank++)
        for (int k = 0; k < b->t->n_units; k++) {
            Unit *unit = &b->units[side][k];
            if (unit->order != rank || unit->health <= 0 || unit->cell >= 0) continue;
            while (next < b->t->n_base && (b->base[side][next] < 0 || b->occupied[b->base[side][next] + 1])) next++;
            if (next == b->t->n_base) return;
            put(b, unit, b->base[side][next++]);
        }
}

static void settle(Battle *b) {
    int alive[2] = {0, 0};
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < b->t->n_units; k++) alive[side] |= b->units[side][k].health > 0;
    if (!alive[0] || !alive[1]) b->winner = alive[0] ? 1 : alive[1] ? 2 : 3;
}

static void fire(Battle *b, const Action *action) {
    const Unit *shooter = &b->units[b->side][action->unit];
    int weapon = b->t->slots[shooter->kind * b->t->n_slots + action->slot], target = action->target;
    for (int made = 1;; made++) {
        attack(b, shooter, weapon, target);
        settle(b);
        if (made >= b->t->n_attacks[weapon] || b->winner || shooter->cell < 0) return;
        int64_t best = 0;
        look_at_ties(b);
        target = best_target(b, shooter, weapon, &best);
        b->choices++;
        if (target < 0) return;
    }
}

static void act(Battle *b, const Action *action) {
    Unit *unit = &b->units[b->side][action->unit < 0 ? 0 : action->unit];
    if (action->what == END) b->left = 0;
    if (action->what == RAISE) unit->shield = UP;
    if (action->what == EXPLODE) explode(b, unit);
    if (action->what == MOVE) unit->moves++;
    if (action->what == JUMP) unit->done = 1;
    if (action->what == MOVE || action->what == JUMP) put(b, unit, action->cell);
    if (action->what == ATTACK) fire(b, action);
    b->left--;
    settle(b);
}

static void take_turn(Battle *b, int side) {
    enter(b, side);
    for (int k = 0; k < b->t->n_units; k++) b->units[side][k].moves = b->units[side][k].done = 0;
    b->side = side;
    b->left = b->t->limit;
    while (b->left > 0 && !b->winner) {
        Action action = decide(b);
        b->choices++;
        act(b, &action);
    }
    for (int k = 0; k < b->t->n_units; k++) b->units[side][k].emp -= b->units[side][k].emp > 0;
}

static void end_round(Battle *b) {
    int lost[2] = {0, 0}, health[2] = {0, 0};
    if (b->winner || b->round < b->t->round_limit) return;
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < b->t->n_units; k++) {
            const Unit *unit = &b->units[side][k];
            lost[side] += unit->health == 0 && b->t->health[unit->kind] > 0;
            health[side] += unit->health;
        }
    int margin = lost[1] - lost[0];
    if (margin == 0 && b->t->health_decides) margin = health[0] - health[1];
    b->winner = margin > 0 ? 1 : margin < 0 ? 2 : 3;
}

/* Writes the rank of each number, 0 for the least. */
static void ranks(const uint64_t *numbers, int n, int *found) {
    for (int k = 0; k < n; k++) {
        found[k] = 0;
        for (int other = 0; other < n; other++) found[k] += numbers[other] < numbers[k];
    }
}

static void deploy(Battle *b, int side, const int16_t *kinds) {
    const Tables *t = b->t;
    uint64_t luck = begun(b->key, 0), drawn[MOST_CELLS];
    const int32_t *cells = t->bases + side * t->n_base;
    int rank[MOST_CELLS], n_base = 0;
    for (int k = 0; k < t->n_units; k++) drawn[k] = word(t, luck, UNITS_FIRST + side, k);
    ranks(drawn, t->n_units, rank);
    for (int k = 0; k < t->n_units; k++) {
        Unit *unit = &b->units[side][k];
        *unit = (Unit){.kind = kinds[k], .cell = -1, .health = t->health[kinds[k]], .order = rank[k]};
        unit->shield = t->first_shield[kinds[k]];
    }
    for (; n_base < t->n_base && cells[n_base] >= 0; n_base++)
        drawn[n_base] = word(t, luck, BASE_FIRST + side, t->relative[side * t->n_cells + cells[n_base]]);
    ranks(drawn, n_base, rank);
    for (int k = 0; k < t->n_base; k++) b->base[side][k] = -1;
    for (int k = 0; k < n_base; k++) b->base[side][rank[k]] = cells[k];
    enter(b, side);
}

void play(const Tables *t, int64_t n, const int16_t *kinds, const uint64_t *keys, int32_t *found) {
    for (int64_t i = 0; i < n; i++, kinds += 2 * t->n_units) {
        Battle b;
        memset(&b, 0, sizeof b);
        b.t = t;
        b.key = keys[i];
        for (int side = 0; side < 2; side++) deploy(&b, side, kinds + side * t->n_units);
        settle(&b);
        while (!b.winner) {
            b.round++;
            take_turn(&b, 0);
            if (!b.winner) take_turn(&b, 1);
            end_round(&b);
        }
        *found++ = b.winner, *found++ = b.round, *found++ = b.choices, *found++ = b.events;
        for (int side = 0; side < 2; side++)
            for (int k = 0; k < t->n_units; k++) *found++ = b.units[side][k].health;
    }
}
