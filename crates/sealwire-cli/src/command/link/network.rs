// SPDX-License-Identifier: Apache-2.0
//! Addresses, routes and bridge of the trusted device, and the commands around it.
//!
//! The `ip` command does it, as in `wg-quick`: it is there wherever there are routes, keeps its words over years, and what it refuses is said
//! in words that an administrator knows. A netlink crate would bring an asynchronous runtime for six messages. Whatever belongs to
//! the device goes with it when the process ends, however it ends, so that only commands are left to undo.

use super::{
    super::input::plain,
    Failure, Outcome,
    config::{Hooks, Network},
};
use sealwire_link::hub;
use std::{
    fmt,
    io::{self, ErrorKind},
    net::IpAddr,
    os::unix::process::CommandExt,
    process::{Child, ChildStdin, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Longest wait for the `down` commands, which then go on alone.
const PATIENCE: Duration = Duration::from_secs(10);

/// An address with the length of its network's prefix.
#[derive(serde::Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(try_from = "String")]
pub(super) struct Prefix {
    address: IpAddr,
    len: u8,
}

impl Prefix {
    fn parse(text: &str) -> Option<Self> {
        let (address, len) = text.split_once('/')?;
        let address: IpAddr = address.parse().ok()?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let is_number = len.bytes().all(|b| b.is_ascii_digit());
        let len = len.parse().ok().filter(|len| is_number && *len <= most)?;
        Some(Self { address, len })
    }

    /// The network that the address is in.
    fn network(self) -> Option<hub::Prefix> {
        hub::Prefix::new(self.address, self.len)
    }

    fn holds(self, address: IpAddr) -> bool {
        self.network()
            .is_some_and(|network| network.contains(address))
    }

    fn family(self) -> &'static str {
        if self.address.is_ipv4() { "-4" } else { "-6" }
    }
}

impl TryFrom<String> for Prefix {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text).ok_or_else(|| {
            format!("\"{text}\" is not an address with a prefix length; write for example \"10.99.0.1/24\" or \"fd00::1/64\"")
        })
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.len)
    }
}

/// A network behind the other end.
#[derive(serde::Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(try_from = "String")]
pub(super) struct Route {
    to: Prefix,
    via: Option<IpAddr>,
}

impl TryFrom<String> for Route {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let mut words = text.split_whitespace();
        let to = words.next().and_then(Prefix::parse);
        let via = match (words.next(), words.next()) {
            (None, _) => Some(None),
            (Some("via"), Some(via)) => via.parse().ok().map(Some),
            _ => None,
        };
        match (to, via, words.next()) {
            (Some(to), Some(via), None)
                if via.is_none_or(|via: IpAddr| via.is_ipv4() == to.address.is_ipv4()) =>
            {
                match to.network() {
                    Some(network) if network.network() != to.address => Err(format!(
                        "\"{to}\" is no network but an address in one, so it is no route: write \"{network}\""
                    )),
                    _ => Ok(Self { to, via }),
                }
            }
            _ => Err(format!(
                "\"{text}\" is no route: write for example \"10.5.0.0/16\" or \"10.5.0.0/16 via 10.99.0.2\", both of one family, or \"0.0.0.0/0\" for all"
            )),
        }
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to)?;
        match self.via {
            Some(via) => write!(f, " via {via}"),
            None => Ok(()),
        }
    }
}

impl Network<'_> {
    /// Refuses a bridge that is not there, as `ip` sees it: it looks into the namespace that this process is in.
    pub(super) fn check_bridge(&self) -> Outcome {
        let Some(bridge) = self.bridge() else {
            return Ok(());
        };
        let wrong = |what: &str| -> Failure { format!("[trusted] bridge {bridge}: {what}").into() };
        match ip(&["link", "show", "dev", bridge]) {
            Err(error) if error.contains("does not exist") => Err(wrong(&format!(
                "there is no such device here; make it with `ip link add {bridge} type bridge` and `ip link set {bridge} up`"
            ))),
            Err(error) => Err(wrong(error.trim_end())),
            // Of a device of another kind this says nothing.
            Ok(_) => match ip(&["link", "show", "dev", bridge, "type", "bridge"]) {
                Ok(said) if said.trim().is_empty() => Err(wrong(
                    "this device is no bridge; name one (`ip link show type bridge` lists them), or make one with `ip link add NAME type bridge`",
                )),
                Ok(_) => Ok(()),
                Err(error) => Err(wrong(error.trim_end())),
            },
        }
    }

    /// What is to be said of a network of the device that holds a peer's own address: without a route to the peer that is nearer, the packets of the
    /// link go into the link.
    pub(super) fn takes_in(&self, peers: &[IpAddr]) -> Option<String> {
        let addresses = self.addresses().iter().map(|prefix| ("addresses", *prefix));
        let routes = self.routes().iter().map(|route| ("routes", route.to));
        let mut taken = addresses.chain(routes).flat_map(|(part, prefix)| {
            let held = peers.iter().filter(move |peer| prefix.holds(**peer));
            held.map(move |peer| (part, prefix, peer))
        });
        let (part, prefix, peer) =
            taken.find(|(_, prefix, peer)| nearest(**peer).is_none_or(|len| len <= prefix.len))?;
        Some(format!(
            "[trusted] {part} {prefix} holds the peer's own address {peer}, and no route to it is nearer: the packets of the link would go into the link; give it a route first, such as `ip route add {peer} via GATEWAY`"
        ))
    }

    /// A route that this machine has already, by another device: no second one can be set.
    pub(super) fn taken(&self, device: &str) -> Option<String> {
        let is_taken = |route: &&Route| {
            let (family, to) = (route.to.family(), route.to.to_string());
            let there = ip(&["-o", family, "route", "show", "exact", &to]);
            collides(&there.unwrap_or_default(), device, family)
        };
        let route = self.routes().iter().find(is_taken)?;
        Some(format!(
            "[trusted] routes {route}: this machine has that route by another device (`ip route show exact {}`), so `up` could not set it; take one of both away",
            route.to
        ))
    }

    /// Gives the device everything that the configuration says. It is to be called with the right to do so.
    pub(super) fn set(&self, device: &str) -> Outcome {
        let failed = |what: &str, error: String| -> Failure {
            format!("[trusted] {what}: {}", error.trim_end()).into()
        };
        if let Some(bridge) = self.bridge() {
            ip(&["link", "set", "dev", device, "master", bridge])
                .map_err(|error| failed(&format!("bridge {bridge}"), error))?;
        }
        for address in self.addresses() {
            let text = address.to_string();
            ip(&[address.family(), "address", "replace", &text, "dev", device])
                .map_err(|error| failed(&format!("addresses {text}"), error))?;
        }
        for route in self.routes() {
            let (family, to) = (route.to.family(), route.to.to_string());
            let wrong = |error| failed(&format!("routes {route}"), error);
            // A device that somebody made to stay may have it from the start before.
            let there = ip(&[family, "route", "show", "exact", &to, "dev", device]);
            if there.map_err(wrong)?.trim().is_empty() {
                let via = route.via.map(|via| via.to_string());
                let mut words = vec![family, "route", "add", &to];
                words.extend(via.iter().flat_map(|via| ["via", via]));
                words.extend(["dev", device]);
                ip(&words).map_err(wrong)?;
            }
        }
        Ok(())
    }
}

/// Whether one of these routes has the metric that a new one gets, and none leads to the device yet.
fn collides(routes: &str, device: &str, family: &str) -> bool {
    let after = |route: &str, name: &str| {
        let mut words = route.split_whitespace().skip_while(|word| *word != name);
        words.nth(1).map(str::to_owned)
    };
    let usual = if family == "-4" { "0" } else { "1024" };
    let is_ours = |route: &str| after(route, "dev").as_deref() == Some(device);
    let is_usual = |route: &str| after(route, "metric").is_none_or(|metric| metric == usual);
    routes.lines().any(is_usual) && !routes.lines().any(is_ours)
}

/// The length of the longest prefix that the system has a route for and that holds this address.
fn nearest(address: IpAddr) -> Option<u8> {
    let (family, host) = if address.is_ipv4() {
        ("-4", 32)
    } else {
        ("-6", 128)
    };
    let routes = ip(&["-o", family, "route", "show", "match", &address.to_string()]).ok()?;
    longest(&routes, host)
}

/// The length of the longest prefix among these routes, that of a host being so long.
fn longest(routes: &str, host: u8) -> Option<u8> {
    // A route that drops begins with a word for that.
    let is_network = |word: &&str| *word == "default" || word.contains(['.', ':']);
    let networks = routes
        .lines()
        .filter_map(|line| line.split_whitespace().find(is_network));
    networks
        .map(|network| match network.split_once('/') {
            Some((_, len)) => len.parse().unwrap_or(0),
            None if network == "default" => 0,
            None => host,
        })
        .max()
}

/// What `ip` answers, or why it refuses.
fn ip(words: &[&str]) -> Result<String, String> {
    let done = Command::new("ip")
        .args(words)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| match error.kind() {
            ErrorKind::NotFound => "there is no `ip` command here: install iproute2".to_owned(),
            _ => format!("the `ip` command cannot be run: {}", plain(&error)),
        })?;
    if done.status.success() {
        Ok(String::from_utf8_lossy(&done.stdout).into_owned())
    } else {
        let said = String::from_utf8_lossy(&done.stderr);
        Err(format!("`ip {}` says: {said}", words.join(" ")))
    }
}

/// A shell with the rights of the start, which runs the `down` commands when this process has ended, however it ended: it waits for the
/// end of a pipe and nothing else. It holds no key, for it is another program.
pub(super) struct Undo {
    shell: Option<Child>,
    pipe: Option<ChildStdin>,
}

impl Undo {
    /// Starts the shell, if there are `down` commands.
    pub(super) fn prepare(hooks: &Hooks, device: &str) -> Result<Self, Failure> {
        if hooks.down.is_empty() {
            return Ok(Self {
                shell: None,
                pipe: None,
            });
        }
        // A service manager's signals go to the whole group of processes.
        let script = format!(
            "trap '' TERM INT HUP; cat > /dev/null; trap - TERM INT HUP\n{}\n",
            hooks.down.join("\n")
        );
        let mut shell = shell(&script, device)
            .stdin(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(|error| format!("[hooks] down: /bin/sh cannot be run: {}", plain(&error)))?;
        Ok(Self {
            pipe: shell.stdin.take(),
            shell: Some(shell),
        })
    }

    /// Runs the `down` commands and waits for them.
    fn finish(&mut self) {
        self.pipe = None;
        let Some(mut shell) = self.shell.take() else {
            return;
        };
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            match shell.try_wait() {
                Ok(Some(status)) if status.success() => return,
                Ok(Some(status)) => {
                    tracing::warn!(%status, "[hooks] down failed");
                    return;
                }
                _ => thread::sleep(Duration::from_millis(10)),
            }
        }
        tracing::warn!("[hooks] down takes longer than {} s", PATIENCE.as_secs());
    }
}

impl Drop for Undo {
    fn drop(&mut self) {
        self.finish();
    }
}

/// Runs the `up` commands, one after the other. The first that fails ends the start.
pub(super) fn run_up(hooks: &Hooks, device: &str) -> Outcome {
    for command in &hooks.up {
        let status = shell(command, device)
            .stdin(Stdio::null())
            .status()
            .map_err(|error| format!("[hooks] up: /bin/sh cannot be run: {}", plain(&error)))?;
        if !status.success() {
            return Err(format!("[hooks] up: `{command}` failed, {status}").into());
        }
    }
    Ok(())
}

/// A shell for these words, which find the device's name in SEALWIRE_DEVICE. What they say stands in the log, beside their errors.
fn shell(script: &str, device: &str) -> Command {
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", script])
        .env("SEALWIRE_DEVICE", device)
        .stdout(io::stderr());
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_addresses_and_routes_of_both_families_only_as_they_are_written() {
        let prefix = |text: &str| Prefix::try_from(text.to_owned()).map(|p| p.to_string());
        for good in ["10.99.0.1/24", "fd00::1/64", "0.0.0.0/0", "::1/128"] {
            assert_eq!(prefix(good).as_deref(), Ok(good));
        }
        for bad in [
            "10.99.0.1",
            "10.99.0.1/33",
            "fd00::1/129",
            "10.99.0/24",
            "10.99.0.1/",
            "10.99.0.1/+8",
            "x/8",
            "10.99.0.1/24 dev eth0",
        ] {
            assert!(prefix(bad).is_err_and(|said| said.contains("for example")));
        }
        let route = |text: &str| Route::try_from(text.to_owned()).map(|r| r.to_string());
        for good in [
            "10.5.0.0/16",
            "10.5.0.0/16 via 10.99.0.2",
            "fd05::/16 via fd00::2",
            "0.0.0.0/0",
            "::/0",
            "10.5.0.1/32",
        ] {
            assert_eq!(route(good).as_deref(), Ok(good));
        }
        for bad in [
            "",
            "default",
            "10.5.0.0/16 via",
            "10.5.0.0/16 10.99.0.2",
            "10.5.0.0/16 via fd00::2",
            "10.5.0.0/16 via 10.99.0.2 metric",
            "10.5.0.0/16 dev eth0",
            "10.5.0.1/16",
            "fd05::1/16",
        ] {
            assert!(
                route(bad).is_err_and(|said| said.contains("is no route")),
                "{bad}"
            );
        }
    }

    #[test]
    fn finds_the_nearest_of_the_routes() {
        for (routes, len) in [
            ("", None),
            ("default via 10.0.0.1 dev eth0 \n", Some(0)),
            (
                "default via 10.0.0.1 dev eth0\n10.0.0.0/24 dev eth0 scope link src 10.0.0.5\n",
                Some(24),
            ),
            ("blackhole 198.51.100.0/24 \n", Some(24)),
            ("unreachable default dev lo metric 4294967295\n", Some(0)),
            ("10.0.0.7 dev eth0\n10.0.0.0/8 dev eth1\n", Some(32)),
            ("2001:db8::/32 dev eth0 metric 1024\n", Some(32)),
        ] {
            assert_eq!(longest(routes, 32), len, "{routes}");
        }
        assert_eq!(
            longest("2001:db8::7 dev eth0\ndefault dev eth0", 128),
            Some(128)
        );
    }

    #[test]
    fn tells_the_routes_of_other_devices() {
        for (routes, has) in [
            ("", false),
            ("10.5.0.0/16 dev seal0 scope link \n", false),
            ("10.5.0.0/16 via 10.0.0.1 dev eth0 \n", true),
            ("10.5.0.0/16 dev seal0\n10.5.0.0/16 dev seal00\n", false),
            ("10.5.0.0/16 dev seal00\n", true),
            (
                "default via 10.0.0.1 dev eth0 proto dhcp metric 100 \n",
                false,
            ),
            ("blackhole 10.5.0.0/16 \n", true),
        ] {
            assert_eq!(collides(routes, "seal0", "-4"), has, "{routes}");
        }
        let of_metric = |metric| format!("fd05::/16 dev eth0 metric {metric} pref medium\n");
        assert!(collides(&of_metric(1024), "seal0", "-6"));
        assert!(!collides(&of_metric(256), "seal0", "-6"));
    }

    #[test]
    fn knows_what_a_network_holds() {
        for (network, held, beside) in [
            ("10.5.0.0/16", "10.5.255.1", "10.6.0.1"),
            ("10.5.7.1/24", "10.5.7.200", "10.5.8.1"),
            ("0.0.0.0/0", "203.0.113.5", "::1"),
            ("fd00::/8", "fd12::1", "2001:db8::1"),
            ("10.5.0.1/32", "10.5.0.1", "10.5.0.2"),
        ] {
            let prefix = Prefix::parse(network).unwrap();
            assert!(prefix.holds(held.parse().unwrap()), "{network}");
            assert!(!prefix.holds(beside.parse().unwrap()), "{network}");
        }
    }
}
