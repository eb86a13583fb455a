/* SPDX-License-Identifier: Apache-2.0 */
/* The schemes that the provider offers: canonical name, names in EVP, whether experimental. Made from the library's list:
 * SEALWIRE_WRITE=1 cargo test -p sealwire-ffi --test provider the_list_of_schemes */
#ifndef SCHEMES_H
#define SCHEMES_H

#define SCHEMES(X)                                                                                                     \
    X(omdsha256k128n96tau64v1, "omdsha256k128n96tau64v1", "no")                                                        \
    X(omdsha256k128n96tau64v2, "omdsha256k128n96tau64v2", "no")                                                        \
    X(omdsha256k128n96tau96v1, "omdsha256k128n96tau96v1", "no")                                                        \
    X(omdsha256k128n96tau96v2, "omdsha256k128n96tau96v2", "no")                                                        \
    X(omdsha256k128n96tau128v1, "omdsha256k128n96tau128v1", "no")                                                      \
    X(omdsha256k128n96tau128v2, "omdsha256k128n96tau128v2", "no")                                                      \
    X(omdsha256k192n104tau128v1, "omdsha256k192n104tau128v1", "no")                                                    \
    X(omdsha256k192n104tau128v2, "omdsha256k192n104tau128v2", "no")                                                    \
    X(omdsha256k256n104tau160v1, "omdsha256k256n104tau160v1", "no")                                                    \
    X(omdsha256k256n104tau160v2, "omdsha256k256n104tau160v2:omd-sha256", "no")                                         \
    X(omdsha256k256n248tau256v1, "omdsha256k256n248tau256v1", "no")                                                    \
    X(omdsha256k256n248tau256v2, "omdsha256k256n248tau256v2", "no")                                                    \
    X(omdsha512k128n128tau128v1, "omdsha512k128n128tau128v1", "no")                                                    \
    X(omdsha512k128n128tau128v2, "omdsha512k128n128tau128v2", "no")                                                    \
    X(omdsha512k256n256tau256v1, "omdsha512k256n256tau256v1", "no")                                                    \
    X(omdsha512k256n256tau256v2, "omdsha512k256n256tau256v2", "no")                                                    \
    X(omdsha512k512n256tau256v1, "omdsha512k512n256tau256v1", "no")                                                    \
    X(omdsha512k512n256tau256v2, "omdsha512k512n256tau256v2:omd-sha512", "no")                                         \
    X(omdsha512k512n256tau512v1, "omdsha512k512n256tau512v1", "no")                                                    \
    X(omdblake2bk256n128tau128v2, "omdblake2bk256n128tau128v2", "no")                                                  \
    X(omdblake2bk512n256tau256v2, "omdblake2bk512n256tau256v2:omd-blake2b", "no")                                      \
    X(omdblake2bk512n256tau512v1, "omdblake2bk512n256tau512v1", "no")                                                  \
    X(pomdsha256k128n96tau128, "pomdsha256k128n96tau128", "no")                                                        \
    X(pomdsha256k256n248tau256, "pomdsha256k256n248tau256:pomd-sha256", "no")                                          \
    X(pomdsha512k512n256tau256, "pomdsha512k512n256tau256:pomd-sha512", "no")                                          \
    X(pomdblake2bk512n256tau256, "pomdblake2bk512n256tau256:pomd-blake2b", "no")                                       \
    X(sivomdpsha256k256n96tau256, "sivomdpsha256k256n96tau256:sivomdp-sha256", "yes")                                  \
    X(sivomdpsha512k512n256tau256, "sivomdpsha512k512n256tau256:sivomdp-sha512", "yes")                                \
    X(sivomdpblake2bk512n256tau256, "sivomdpblake2bk512n256tau256:sivomdp-blake2b", "yes")                             \
    X(sivomdssha256k256n96tau256, "sivomdssha256k256n96tau256:sivomds-sha256", "yes")                                  \
    X(sivomdssha512k512n256tau256, "sivomdssha512k512n256tau256:sivomds-sha512", "yes")                                \
    X(aes128otrpv3, "aes128otrpv3:otr-aes128-p", "no")                                                                 \
    X(aes128otrsv3, "aes128otrsv3:otr-aes128-s", "no")                                                                 \
    X(aes128otrcv3, "aes128otrcv3:otr-aes128-c", "no")                                                                 \
    X(aes256otrpv3, "aes256otrpv3:otr-aes256-p", "no")                                                                 \
    X(aes256otrsv3, "aes256otrsv3:otr-aes256-s", "no")                                                                 \
    X(aes256otrcv3, "aes256otrcv3:otr-aes256-c", "no")                                                                 \
    X(asconaead128, "asconaead128:ascon-aead128", "no")                                                                \
    X(ascon128v12, "ascon128v12:ascon-128", "no")                                                                      \
    X(deoxysi128v143, "deoxysi128v143:deoxys-i-128", "no")                                                             \
    X(deoxysi256v143, "deoxysi256v143:deoxys-i-256", "no")                                                             \
    X(deoxysii128v143, "deoxysii128v143:deoxys-ii-128", "no")                                                          \
    X(deoxysii256v143, "deoxysii256v143:deoxys-ii-256", "no")                                                          \
    X(deoxysi128v141, "deoxysi128v141", "no")                                                                          \
    X(deoxysii128v141, "deoxysii128v141", "no")                                                                        \
    X(aeadaes128ocbtaglen128v1, "aeadaes128ocbtaglen128v1:ocb-aes128", "no")                                           \
    X(aeadaes128ocbtaglen96v1, "aeadaes128ocbtaglen96v1", "no")                                                        \
    X(aeadaes128ocbtaglen64v1, "aeadaes128ocbtaglen64v1", "no")                                                        \
    X(aeadaes192ocbtaglen128v1, "aeadaes192ocbtaglen128v1:ocb-aes192", "no")                                           \
    X(aeadaes192ocbtaglen96v1, "aeadaes192ocbtaglen96v1", "no")                                                        \
    X(aeadaes192ocbtaglen64v1, "aeadaes192ocbtaglen64v1", "no")                                                        \
    X(aeadaes256ocbtaglen128v1, "aeadaes256ocbtaglen128v1:ocb-aes256", "no")                                           \
    X(aeadaes256ocbtaglen96v1, "aeadaes256ocbtaglen96v1", "no")                                                        \
    X(aeadaes256ocbtaglen64v1, "aeadaes256ocbtaglen64v1", "no")                                                        \
    X(aegis128ltau128, "aegis128ltau128:aegis-128l", "no")                                                             \
    X(aegis128ltau256, "aegis128ltau256", "no")                                                                        \
    X(aegis256tau128, "aegis256tau128:aegis-256", "no")                                                                \
    X(aegis256tau256, "aegis256tau256", "no")                                                                          \
    X(colm0v1, "colm0v1:colm-aes128", "no")                                                                            \
    X(aescopav2, "aescopav2:copa-aes128", "no")                                                                        \
    X(scream10v3, "scream10v3:scream-10", "no")                                                                        \
    X(scream12v3, "scream12v3:scream-12", "no")                                                                        \
    X(minalpherv11, "minalpherv11:minalpher", "no")

#endif
