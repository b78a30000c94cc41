// The public crate runpod-sdk, unmodified, as its variables configure it: one read over REST and one
// over the queue.

use runpod_sdk::serverless::ServerlessEndpoint;
use runpod_sdk::service::EndpointsService;
use runpod_sdk::{Result, RunpodClient};

async fn reads(id: String) -> Result<()> {
    let client = RunpodClient::from_env()?;
    client.list_endpoints(Default::default()).await?;
    ServerlessEndpoint::new(id, client).health().await?;
    Ok(())
}

fn main() -> Result<()> {
    let id = std::env::var("ENDPOINT").expect("ENDPOINT");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(reads(id))
}
