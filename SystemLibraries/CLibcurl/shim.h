#pragma once
#include <curl/curl.h>
#if defined(__linux__)
#include <sys/prctl.h>
#elif defined(__APPLE__)
#include <pthread.h>
#endif

// Swift cannot call variadic functions: one wrapper per type that an option takes or an information has.

static inline CURLcode atmosphere_easy_set_long(CURL *easy, CURLoption option, long value) {
    return (curl_easy_setopt)(easy, option, value);
}

static inline CURLcode atmosphere_easy_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return (curl_easy_setopt)(easy, option, value);
}

static inline CURLcode atmosphere_easy_set_text(CURL *easy, CURLoption option, const char *value) {
    return (curl_easy_setopt)(easy, option, value);
}

static inline CURLcode atmosphere_easy_set_pointer(CURL *easy, CURLoption option, void *value) {
    return (curl_easy_setopt)(easy, option, value);
}

static inline CURLcode atmosphere_easy_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return (curl_easy_setopt)(easy, option, value);
}

// CURLOPT_WRITEFUNCTION, CURLOPT_HEADERFUNCTION and CURLOPT_READFUNCTION share one signature.
static inline CURLcode atmosphere_easy_set_data_callback(CURL *easy, CURLoption option, curl_write_callback value) {
    return (curl_easy_setopt)(easy, option, value);
}

static inline CURLcode atmosphere_easy_set_prerequest_callback(CURL *easy, curl_prereq_callback value) {
    return (curl_easy_setopt)(easy, CURLOPT_PREREQFUNCTION, value);
}

static inline CURLcode atmosphere_easy_get_long(CURL *easy, CURLINFO information, long *value) {
    return (curl_easy_getinfo)(easy, information, value);
}

static inline CURLcode atmosphere_easy_get_pointer(CURL *easy, CURLINFO information, void **value) {
    return (curl_easy_getinfo)(easy, information, value);
}

static inline CURLMcode atmosphere_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return (curl_multi_setopt)(multi, option, value);
}

// Names the calling thread, for debuggers; 15 characters at most.
static inline void atmosphere_name_thread(const char *name) {
#if defined(__linux__)
    prctl(PR_SET_NAME, name, 0, 0, 0);
#elif defined(__APPLE__)
    pthread_setname_np(name);
#endif
}
