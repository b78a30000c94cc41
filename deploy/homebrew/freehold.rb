# A formula of Homebrew. `npm run release` writes a copy with the address and the checksum of the package.
class Freehold < Formula
  desc "Compute cloud you own: Pods and Serverless endpoints on your own machines"
  url "{url}"
  sha256 "{sha256}"
  license "Apache-2.0"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink Dir["#{libexec}/bin/*"]
  end

  service do
    run [opt_bin/"freehold", "up"]
    environment_variables FREEHOLD_DATA: var/"freehold"
    keep_alive successful_exit: false
    log_path var/"log/freehold.log"
    error_log_path var/"log/freehold.log"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/freehold --version")
  end
end
