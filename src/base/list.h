/* base/list.h - lists of any length, which descs and some calls take: an address and a number. */
#pragma once

#include "base/config.h"

/* A list counts its elements, of which there may be any number:
     .outputs = NN_NODES(y, z)             .targets = NN_TEXTS("q_proj", "v_proj")
   or has the address of an array of yours and its length, { array, 12 }. A list of zeros is empty.
   The call that takes a list copies what it keeps, so the array need not outlive it.

   In C++ an array is also a list of its own length. A C++11 program, which cannot name fields in
   the call, gives the list a name of its own, because what NN_NODES makes is gone after the
   statement (assigning it to a field does not compile):
     nn_node *outputs[] = { y, z };
     desc.outputs = outputs; */
#ifdef __cplusplus
extern "C++" {
/* What NN_NODES and similar macros make. */
template <typename List, int Count> struct nn_list_of {
    typename List::element item[Count];
};
template <typename List, int Count>
inline nn_list_of<List, Count> nn_make_list(const typename List::element (&items)[Count]) {
    nn_list_of<List, Count> list;
    for (int i = 0; i < Count; i++) list.item[i] = items[i];
    return list;
}
}
#define NN__LIST(type, element, ...) nn_make_list<type>({__VA_ARGS__})
#define NN__LIST_CALLS(type, of, address)                                                          \
    typedef of element;                                                                            \
    type() = default;                                                                              \
    type(const element *items, int length) : address(items), count(length) {}                      \
    template <int Count> type(const element (&items)[Count]) : address(items), count(Count) {}     \
    template <int Count>                                                                           \
    type(const nn_list_of<type, Count> &list) : address(list.item), count(Count) {}                \
    template <int Count> type &operator=(nn_list_of<type, Count> &&) = delete;
#else
#define NN__LIST(type, element, ...)                                                               \
    ((type){(element const[]){__VA_ARGS__},                                                        \
            (int)(sizeof((element const[]){__VA_ARGS__}) / sizeof(element))})
#define NN__LIST_CALLS(type, of, address)
#endif

/* Names and other texts. */
typedef struct nn_texts {
    const char *const *text;
    int count;
    NN__LIST_CALLS(nn_texts, const char *, text)
} nn_texts;
#define NN_TEXTS(...) NN__LIST(nn_texts, const char *, __VA_ARGS__)

/* Whole numbers. */
typedef struct nn_integers {
    const int64_t *number;
    int count;
    NN__LIST_CALLS(nn_integers, int64_t, number)
} nn_integers;
#define NN_INTEGERS(...) NN__LIST(nn_integers, int64_t, __VA_ARGS__)

/* Numbers. */
typedef struct nn_numbers {
    const float *number;
    int count;
    NN__LIST_CALLS(nn_numbers, float, number)
} nn_numbers;
#define NN_NUMBERS(...) NN__LIST(nn_numbers, float, __VA_ARGS__)
