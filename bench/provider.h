// Which library serves a function. Apart from the report, so that it can be found otherwise in programs that are not ours.
//
// Owns      nothing.
// Promises  a symbol without a library ends the program with one sentence.
// Callers   the report.
#ifndef BENCH_PROVIDER_H
#define BENCH_PROVIDER_H

// The path of the library that the dynamic linker chose for `symbol`.
const char *bench_provider(const char *symbol);

#endif
