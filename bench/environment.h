// The variables HAKMEM_BENCH_… of the environment.
//
// Owns      which of them the program reads.
// Promises  one that it does not read is an error: what it was to change would be measured unchanged.
// Threads   the main thread, before bench_parse.
#ifndef BENCH_ENVIRONMENT_H
#define BENCH_ENVIRONMENT_H

// The names that the program reads, the last one NULL; without this call there are none.
void bench_reads(const char *const *names);

// Ends the program with a sentence and exit status 2 where another is set. bench_parse calls it.
void bench_check_environment(void);

#endif
