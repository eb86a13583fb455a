// SPDX-License-Identifier: Apache-2.0
//! Intermediate values of the mode: key 00 01 02 .., nonce 00 01 02 .., at the lengths of the scheme in the name.
//!
//! The values come from an independent model that reproduces the designers' published answers.

use super::*;
use crate::compress::{Blake2b, Call, Sha256, Sha512};
use crate::gf::xor;
use hex_literal::hex;
use std::vec::Vec;

fn count_up(len: usize) -> Vec<u8> {
    (0..len as u8).collect()
}

struct Expected<'a> {
    l_star: &'a [u8],
    l: [&'a [u8]; 2],
    /// Delta_{N,0,0} and Delta_{N,1,0}
    delta: [&'a [u8]; 2],
    h_after_tau: &'a [u8],
    /// for the associated data 00 01 02
    tag_a: &'a [u8],
}

fn check<F: Compress>([key, nonce, tag]: [usize; 3], version: u8, expected: &Expected<'_>) {
    let core = Core::<F>::new(&count_up(key), version, tag);
    assert_eq!(core.0.star()[..], *expected.l_star);
    assert_eq!(core.0.first()[..], *expected.l[0]);
    let mut l1 = Array::default();
    core.0.add_l(&mut l1, 2);
    assert_eq!(l1[..], *expected.l[1]);
    let mut sum = l1.clone();
    core.0.add_multiple(&mut sum, 2);
    core.0.add_multiple(&mut sum, 3);
    xor(&mut sum, &l1);
    assert_eq!(sum, *core.0.star(), "2L* + 3L* = L*");

    let nonce = count_up(nonce);
    let mut message = Message::new(&nonce, Array::default(), &[], &mut []);
    let (mut call, mut offset) = (Call::new(), Array::default());
    for step in ["nonce", "tag length"] {
        assert!(
            drive::prepare(&core.0, false, &mut message, &mut call, &mut offset),
            "{step}"
        );
        F::calls(core.0.schedule(), core::slice::from_mut(&mut call), 1);
    }
    let mut first = offset.clone();
    xor(&mut first, core.0.first());
    assert_eq!(first[..], *expected.delta[0]);
    assert_eq!(offset[..], *expected.delta[1]);
    assert_eq!(call.h[..], *expected.h_after_tau);

    assert_eq!(core.hash_ad(&[0, 1, 2])[..], *expected.tag_a);
    assert!(core.hash_ad(&[]).iter().all(|&b| b == 0));
}

#[test]
fn sha256k128n96tau128v2() {
    check::<Sha256>(
        [16, 12, 16],
        2,
        &Expected {
            l_star: &hex!("DC421CD088D0BA4C3B54E7C8AE7E1129193AB11FEE72AB453DB986F7AF2A4934"),
            l: [
                &hex!("710873422342E930ED539F22B9F844A464EAC47FB9CAAD14F6E61BDEBCA928BF"),
                &hex!("E210E6844685D261DAA73E4573F08948C9D588FF73955A29EDCC37BD7952517E"),
            ],
            delta: [
                &hex!("C9EC431F5BE330DE76BB680C6FBFCD58414DEA277FB34B6E8C2CE6C3E2EACECB"),
                &hex!("B8E4305D78A1D9EE9BE8F72ED64789FC25A72E58C679E67A7ACAFD1D5E43E674"),
            ],
            h_after_tau: &hex!("987FF6F84E3E5615CE3C2ECA03063A7859D7DF17C598021397E00984F32BC11E"),
            tag_a: &hex!("C090F5EB47ADDEB1AF6C5E6C18AF816FA989F8F7EB53324C45A5AFADA3D4358F"),
        },
    );
}

#[test]
fn sha256k128n96tau128v1() {
    check::<Sha256>(
        [16, 12, 16],
        1,
        &Expected {
            l_star: &hex!("92BB8A41ADE9C3AD3FA9AFE7508FB427013D8D5B6B0177B20F279D13ED2791A6"),
            l: [
                &hex!("4AEE2906B7A70EB4FEA6BF9D423ED09C04F6356DAC05DEC83C9E744FB49E4ED2"),
                &hex!("95DC520D6F4E1D69FD4D7F3A847DA13809EC6ADB580BBD90793CE89F693C9DA4"),
            ],
            delta: [
                &hex!("C9EC431F5BE330DE76BB680C6FBFCD58414DEA277FB34B6E8C2CE6C3E2EACECB"),
                &hex!("83026A19EC443E6A881DD7912D811DC445BBDF4AD3B695A6B0B2928C56748019"),
            ],
            h_after_tau: &hex!("8331DC4436915C4CF2A575205D0E6FED5ABB3D46391D889FE82F1C25F1E85BFF"),
            tag_a: &hex!("F4AF6EA73A9F30C6ED4959F41CB4843006D800761C9AD6C7548E27671E72964E"),
        },
    );
}

#[test]
fn sha512k256n256tau256v2() {
    check::<Sha512>(
        [32, 32, 32],
        2,
        &Expected {
            l_star: &hex!(
                "457EB855C1498514A6F283CFA59CB4FEF1CABBA4C9AF0E222B0ED17A658429B6B2EBBD0841272B3B941D66AFE2959F44EF7E70FD792F35686703CF23C526711F"
            ),
            l: [
                &hex!(
                    "15FAE157052614529BCA0F3E9672D3FBC72AEE9326BC3888AC3B45E99610A6DACBAEF421049CACEE50759ABF8A567D13BDF9C3F5E4BCD5A19C0F3C8F1499C559"
                ),
                &hex!(
                    "2BF5C2AE0A4C28A537941E7D2CE5A7F78E55DD264D78711158768BD32C214DB5975DE842093959DCA0EB357F14ACFA277BF387EBC979AB43381E791E29338AB2"
                ),
            ],
            delta: [
                &hex!(
                    "18D546ED7CE24992C515DBDD1D7E87D8155CF4A01EA330ABF9B6199A08C8FA63D3332F54C45E1408DA59B9A4F2C82455822F60618AC9581C307C78AF96172987"
                ),
                &hex!(
                    "0D2FA7BA79C45DC05EDFD4E38B0C5423D2761A33381F0823558D5C739ED85CB9189DDB75C0C2B8E68A2C231B789E59463FD6A3946E758DBDAC734420828EECDE"
                ),
            ],
            h_after_tau: &hex!(
                "D4792285F8C555993151D9109D2BB91CB67776FCE967212B2FCDB42A546CBF5DD729E4194DBC754450FDE62BE485AEF2ED07537F52F9E5FF9079195A165A0399"
            ),
            tag_a: &hex!(
                "00CE52659DF6FBF39E76653FB5450C26AB5114F7864E13328C8ECB2CCC9D78A6C1E5C84D4C7DA19C857B07E85C7C094DA22F2B80C713AD404F3DF4A7ABEB97B9"
            ),
        },
    );
}

#[test]
fn sha512k256n256tau256v1() {
    check::<Sha512>(
        [32, 32, 32],
        1,
        &Expected {
            l_star: &hex!(
                "29592EE3E0E09A7000D94BFEFCFC9CFFF534CD4CBF1C399ED98706EC29CD59D4012BE4D47542BBE84F39AFC4F29C79025CA301C7257DDD64231FFD55FAFDF1BD"
            ),
            l: [
                &hex!(
                    "A564BB8F838269C003652FFBF3F273FFD4D33532FC70E67B661C1BB0A735675004AF9351D50AEFA13CE6BF13CA71E409728C071C95F775908C7FF557EBF7C6F4"
                ),
                &hex!(
                    "4AC9771F0704D38006CA5FF7E7E4E7FFA9A66A65F8E1CCF6CC3837614E6ACEA0095F26A3AA15DF4279CD7E2794E3C812E5180E392BEEEB2118FFEAAFD7EF8CCD"
                ),
            ],
            delta: [
                &hex!(
                    "18D546ED7CE24992C515DBDD1D7E87D8155CF4A01EA330ABF9B6199A08C8FA63D3332F54C45E1408DA59B9A4F2C82455822F60618AC9581C307C78AF96172987"
                ),
                &hex!(
                    "BDB1FD62FF602052C670F426EE8CF427C18FC192E2D3D6D09FAA022AAFFD9D33D79CBC051154FBA9E6BF06B738B9C05CF0A3677D1F3E2D8CBC038DF87DE0EF73"
                ),
            ],
            h_after_tau: &hex!(
                "E3FDD76E798664635F9A4E27DEF01B157EA8A7069ED02B1986613EFF16262DBE96971E57F8E2A5BA3D95AC030673C7C46AE9B34C52B4CC2592F674AB061DE912"
            ),
            tag_a: &hex!(
                "81E425119C39FAF9A6067209A9F623023D155D1B5FF7F6A5FC4FCD7376A64FAB2A5C0A70DD63529DD91ADD0567F3085E8380BCC8D98913938DECD196BD98E91B"
            ),
        },
    );
}

#[test]
fn blake2bk512n256tau256v2() {
    check::<Blake2b>(
        [64, 32, 32],
        2,
        &Expected {
            l_star: &hex!(
                "6736284853BF46B48A99FD340FACAA4463513AC65CB3FADEE8E2D05E4FE73606D821E52E15276AE6496B6950EC084515AE7D6AE10B8CD44B296A5D29D75513D1"
            ),
            l: [
                &hex!(
                    "9CD8A1214EFD1AD22A67F4D03EB2A9118D44EB1972CFEB7BA38B41793F9CD81B608794B8549DAB9925ADA543B0211456B9F5AB842E33512CA5A974A75D544E61"
                ),
                &hex!(
                    "39B142429DFA35A454CFE9A07D6552231A89D632E59FD6F7471682F27F39B036C10F2970A93B57324B5B4A87604228AD73EB57085C66A2594B52E94EBAA89DE7"
                ),
            ],
            delta: [
                &hex!(
                    "9C99B68CDE1A7906E389CE8DEB28A90FB688CEA6248861BCFD0B55E7FFF1E1B6AB46B876374B213C939CFB5C20EF27C9DD556A5E6ACD491EDBDD381E4EFDC32B"
                ),
                &hex!(
                    "004117AD90E763D4C9EE3A5DD59A001E3BCC25BF56478AC75E80149EC06D39ADCBC12CCE63D68AA5B6315E1F90CE339F64A0C1DA44FE18327E744CB913A98D4A"
                ),
            ],
            h_after_tau: &hex!(
                "E120BFD42820B16E45E0AEE789FEAD319F18AAE84D422E35B14901659A8D57DF62891D11E25E1820C6531E7D6F7D6C232F8B974152DAA3CE4616B4CCABE05D14"
            ),
            tag_a: &hex!(
                "CCFA55E54F44A10249983E0D3184DFE8C15D20D5425D8C32816344859D930F1034491A299BE8BA49384AE151DAAA676FB714441B58E6CA6D4C6779615B8C64A8"
            ),
        },
    );
}

/// L[i] beyond the table, which needs messages of 65536 blocks, is the same sequence.
#[test]
fn offsets_beyond_the_table_go_on_doubling() {
    let core = Core::<Sha256>::new(&count_up(16), 2, 16);
    let mut l20 = Array::default();
    core.0.add_l(&mut l20, 3 << 20);
    assert_eq!(
        l20[..],
        hex!("3422342e930ed539f22b9f844a464eac47fb9caad14f6e61bdebca92974b5e7b")
    );
    let core = Core::<Blake2b>::new(&count_up(64), 2, 32);
    let mut l20 = Array::default();
    core.0.add_l(&mut l20, 1 << 20);
    assert_eq!(
        l20[..],
        hex!(
            "1214efd1ad22a67f4d03eb2a9118d44eb1972cfeb7ba38b41793f9cd81b60879"
            "4b8549dab9925ada543b0211456b9f5ab842e33512ca5a974a75d544eecac0e2"
        )
    );
}
