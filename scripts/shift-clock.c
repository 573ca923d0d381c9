/*
 * Shifts the clock of a process and of all that it starts, for `npm run test:stress`: loaded with
 * LD_PRELOAD. Only the time of day is shifted. Timers, waits and the processor's time are not, so
 * that nothing else behaves differently. Programs that ask the kernel by themselves, as those of Go
 * do, keep the machine's time.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SHIFT "CLOCK_SHIFT_S="
#define PRELOAD "LD_PRELOAD="

extern char **environ;

static long shift_s;
static char shift_text[64];
static char preload_text[4096];

static void set(char *text, size_t size, const char *name, const char *value) {
  strncpy(text, name, size - 1);
  strncat(text, value, size - 1 - strlen(text));
}

__attribute__((constructor)) static void load(void) {
  const char *shift = getenv("CLOCK_SHIFT_S");
  const char *library = getenv("LD_PRELOAD");
  if (shift == NULL || library == NULL) return;
  set(shift_text, sizeof shift_text, SHIFT, shift);
  set(preload_text, sizeof preload_text, PRELOAD, library);
  shift_s = atol(shift);
}

int clock_gettime(clockid_t id, struct timespec *at) {
  static int (*real)(clockid_t, struct timespec *);
  if (real == NULL) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int result = real == NULL ? (int)syscall(SYS_clock_gettime, id, at) : real(id, at);
  if (result == 0 && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) at->tv_sec += shift_s;
  return result;
}

int gettimeofday(struct timeval *at, void *zone) {
  struct timespec now;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &now);
  at->tv_sec = now.tv_sec;
  at->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *at) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (at != NULL) *at = now.tv_sec;
  return now.tv_sec;
}

/* A program that is started with an environment of its own has the same clock, unless it says. */
static char **with_clock(char *const *env) {
  size_t count = 0;
  int has_shift = shift_text[0] == 0;
  int has_preload = preload_text[0] == 0;
  for (; env != NULL && env[count] != NULL; count++) {
    if (strncmp(env[count], SHIFT, strlen(SHIFT)) == 0) has_shift = 1;
    if (strncmp(env[count], PRELOAD, strlen(PRELOAD)) == 0) has_preload = 1;
  }
  char **all = malloc((count + 3) * sizeof *all);
  if (all == NULL) return (char **)env;
  if (count > 0) memcpy(all, env, count * sizeof *all);
  if (!has_shift) all[count++] = shift_text;
  if (!has_preload) all[count++] = preload_text;
  all[count] = NULL;
  return all;
}

int execve(const char *path, char *const argv[], char *const env[]) {
  static int (*real)(const char *, char *const[], char *const[]);
  if (real == NULL) {
    real = (int (*)(const char *, char *const[], char *const[]))dlsym(RTLD_NEXT, "execve");
  }
  return real(path, argv, with_clock(env));
}

int execvp(const char *file, char *const argv[]) {
  static int (*real)(const char *, char *const[]);
  if (real == NULL) real = (int (*)(const char *, char *const[]))dlsym(RTLD_NEXT, "execvp");
  environ = with_clock(environ);
  return real(file, argv);
}
