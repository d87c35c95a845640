//! The bare server that `benches/api.sh` measures against: it parses the same body and returns it. Not part of the
//! program.
#![allow(clippy::disallowed_types, reason = "bare axum is what is measured against")]

use axum::routing::post;
use axum::{Json, Router};
use serde_json::Value;

async fn echo(Json(body): Json<Value>) -> Json<Value> {
    Json(body)
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("echo listens on http://{}", listener.local_addr()?);
    axum::serve(listener, Router::new().route("/", post(echo))).await
}
