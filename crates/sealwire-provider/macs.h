/* SPDX-License-Identifier: Apache-2.0 */
/* The MACs that the provider offers: canonical name, names in EVP, whether experimental. Made from the library's list:
 * SEALWIRE_WRITE=1 cargo test -p sealwire-ffi --test provider the_list */
#ifndef MACS_H
#define MACS_H

#define MACS(X)                                                                                                        \
    X(asconmacv13, "asconmacv13:ascon-mac", "no")                                                                      \
    X(asconmacav13, "asconmacav13:ascon-maca", "no")                                                                   \
    X(asconprfv13, "asconprfv13:ascon-prf", "no")                                                                      \
    X(asconprfav13, "asconprfav13:ascon-prfa", "no")                                                                   \
    X(asconprfsv13, "asconprfsv13:ascon-prfs", "no")                                                                   \
    X(asconmacv12, "asconmacv12", "no")                                                                                \
    X(asconmacav12, "asconmacav12", "no")                                                                              \
    X(asconprfv12, "asconprfv12", "no")                                                                                \
    X(asconprfav12, "asconprfav12", "no")                                                                              \
    X(asconprfsv12, "asconprfsv12", "no")                                                                              \
    X(fsks64, "fsks64:fsks-64", "yes")                                                                                 \
    X(fsks128, "fsks128:fsks-128", "yes")                                                                              \
    X(asconprf192, "asconprf192:ascon-prf-192", "yes")                                                                 \
    X(asconprf64, "asconprf64:ascon-prf-64", "yes")                                                                    \
    X(asconfarfalle, "asconfarfalle:ascon-farfalle", "yes")

#endif
