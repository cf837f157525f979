/* The loops to beat: every die is rolled, with xoshiro256++ (Blackman and Vigna 2019) seeded by splitmix64.

   loops attacks DICE N SEED: N attacks of precision 7 and damage 4 against armour 3.
   loops kills DICE N SEED:   N targets of 12 health, each attacked until it falls.
   DICE is `each`, one random number per die, or `packed`, one per attack.
   Prints the seconds the loop took, then how often each result came up: damage 0 to 4, or attacks 1 to 64. */

#define _POSIX_C_SOURCE 199309L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t s0, s1, s2, s3;

static inline uint64_t rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

static inline uint64_t next(void) {
    uint64_t result = rotl(s0 + s3, 23) + s0, t = s1 << 17;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = rotl(s3, 45);
    return result;
}

static uint64_t splitmix(uint64_t *x) {
    uint64_t z = (*x += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* A fair die from one random number, by Lemire's multiplication with rejection (2019). */
static inline uint32_t die(uint32_t faces) {
    uint64_t product = (next() >> 32) * faces;
    if ((uint32_t)product < faces) {
        uint32_t uneven = -faces % faces;
        while ((uint32_t)product < uneven) product = (next() >> 32) * faces;
    }
    return (uint32_t)(product >> 32) + 1;
}

static inline int damage_of(uint32_t d10, int blocked) {
    if (d10 > 7) return 0;
    if (d10 == 7) return 4;
    return blocked > 3 ? 1 : 4 - blocked;
}

static inline int attack_each(void) {
    uint32_t d10 = die(10);
    int blocked = 0;
    for (int i = 0; i < 3; i++) {
        uint32_t d6 = die(6);
        blocked += d6 >= 3 && d6 <= 5;
    }
    return damage_of(d10, blocked);
}

/* Four dice from the 16-bit parts of one number. A face's chance is off by up to 1 in 10,000 of itself: too little to
   see, and it spares this program what a fair die would have to do. */
static inline int attack_packed(void) {
    uint64_t bits = next();
    uint32_t d10 = (uint32_t)((bits & 0xffff) * 10 >> 16) + 1;
    int blocked = 0;
    for (int i = 1; i <= 3; i++) {
        uint32_t d6 = (uint32_t)((bits >> 16 * i & 0xffff) * 6 >> 16) + 1;
        blocked += d6 >= 3 && d6 <= 5;
    }
    return damage_of(d10, blocked);
}

static uint64_t counts[64];

#define LOOPS(attack)                                       \
    if (kills)                                              \
        for (uint64_t i = 0; i < n; i++) {                  \
            int health = 12, attacks = 0;                   \
            do {                                            \
                health -= attack();                         \
                attacks++;                                  \
            } while (health > 0);                           \
            counts[attacks < 64 ? attacks - 1 : 63]++;      \
        }                                                   \
    else                                                    \
        for (uint64_t i = 0; i < n; i++) counts[attack()]++;

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    int kills = strcmp(argv[1], "kills") == 0, packed = strcmp(argv[2], "packed") == 0;
    uint64_t n = strtoull(argv[3], NULL, 10), seed = strtoull(argv[4], NULL, 10);
    s0 = splitmix(&seed), s1 = splitmix(&seed), s2 = splitmix(&seed), s3 = splitmix(&seed);
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    if (packed) {
        LOOPS(attack_packed)
    } else {
        LOOPS(attack_each)
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%.9f\n", (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec));
    for (int i = 0; i < (kills ? 64 : 5); i++) printf("%llu\n", (unsigned long long)counts[i]);
    return 0;
}
