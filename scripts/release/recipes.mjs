// The Homebrew formula, and install.sh for everybody else.

/**
 * @typedef {object} Release
 * @property {string} version
 * @property {string} description
 * @property {string} homepage
 * @property {string} downloads the address of the folder with the release's files
 * @property {(file: string) => string | undefined} sum the SHA-256 of one of them, in hex
 */

/** The archive of a target. @param {string} version @param {string} target */
export function archiveName(version, target) {
  return `svc-${version}-${target}.${target.startsWith('windows') ? 'zip' : 'tar.xz'}`;
}

/** The formula `svc.rb`. @param {Release} release */
export function formula({ version, description, homepage, downloads, sum }) {
  const source = (/** @type {string} */ target, /** @type {string} */ condition) => {
    const file = archiveName(version, target);
    return `    ${condition} do\n      url "${downloads}/${file}"\n      sha256 "${sum(file)}"\n    end`;
  };
  return `class Svc < Formula
  desc "${description.replace(/:.*/s, '').replace(/^The /, '').replace(/^c/, 'C')}"
  homepage "${homepage}"
  version "${version}"
  license "MIT"

  on_macos do
${source('darwin-arm64', 'on_arm')}
${source('darwin-x64', 'on_intel')}
  end

  on_linux do
${source('linux-arm64', 'on_arm')}
${source('linux-x64', 'on_intel')}
  end

  def install
    bin.install "svc"
    man1.install "man/svc.1"
    bash_completion.install "completions/svc.bash" => "svc"
    fish_completion.install "completions/svc.fish"
    zsh_completion.install "completions/_svc"
    doc.install "THIRD-PARTY-NOTICES"
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/svc --version").strip
  end
end
`;
}

/**
 * `install.sh` for one release: it contains the sums, so that only this file has to be trusted.
 * @param {string} template @param {Release} release @param {readonly string[]} targets
 */
export function installer(template, { version, downloads, sum }, targets) {
  const archives = targets
    .filter((target) => !target.startsWith('windows'))
    .map((one) => archiveName(version, one));
  return template
    .replace('@version@', version)
    .replace('@downloads@', downloads)
    .replace('@sums@', archives.map((file) => `${sum(file)}  ${file}`).join('\n'));
}
