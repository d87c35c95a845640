use super::run;

#[test]
fn every_command_has_help_with_an_example() {
    let top = run(&["--help"]);
    assert_eq!((top.code, top.err.as_str()), (0, ""));
    let listed = top.out.split("Commands:").nth(1).unwrap().split("Options:").next().unwrap();
    let commands: Vec<&str> = listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    for command in ["serve", "size", "report", "backtest", "bench", "openapi", "completions"] {
        assert!(commands.contains(&command), "{command} is missing: {commands:?}");
    }
    for command in commands.into_iter().filter(|command| *command != "help") {
        let help = run(&[command, "--help"]);
        assert_eq!(help.code, 0, "{command}");
        assert!(help.out.contains("Example"), "{command} shows no example:\n{}", help.out);
    }
}

#[test]
fn serve_names_its_variables() {
    let help = run(&["serve", "--help"]).out;
    for variable in ["VMFIT_LISTEN", "VMFIT_DATABASE", "VMFIT_ALLOW_ANONYMOUS", "VMFIT_ALLOW_HOSTS", "RUST_LOG"] {
        assert!(help.contains(variable), "{help}");
    }
}

#[test]
fn version() {
    assert_eq!(run(&["--version"]).out, format!("vmfit {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn wrong_usage_is_one_line() {
    for (arguments, told) in [
        (&["size"][..], "SCENARIO.json"),
        (&["size", "a.json", "--format", "yaml"], "text, json"),
        (&["size", "a.json", "--colour"], "--colour"),
        (&["flood"], "flood"),
        (&["serve", "--listen", "8080"], "127.0.0.1:8080"),
        (&["serve", "--listen", "0.0.0.0:0"], "--allow-anonymous"),
        (&["serve", "--database", "mysql://x"], "sqlite://"),
    ] {
        let ran = run(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{arguments:?}");
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        assert!(ran.err.contains(told), "{}", ran.err);
    }
    assert_eq!(run(&[]).code, 2);
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = run(&["completions", shell]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        assert!(ran.out.contains("vmfit") && ran.out.contains("size"), "{shell}");
    }
}

#[test]
fn openapi_is_the_document_of_the_server() {
    let ran = run(&["openapi"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let printed: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(printed, serde_json::to_value(vmfit::web::openapi()).unwrap());
}
