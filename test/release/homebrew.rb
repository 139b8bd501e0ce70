# Stands in for Homebrew: evaluates a formula (first word) on a platform (second), and prints what it fetches and installs.
require 'json'
$platform, $files = ARGV[1].split('-'), []
class Place
  def install(what) = (what.is_a?(Hash) ? what.keys : [what]).each { |file| $files << file }
  def to_s = '/bin'
end
class Formula
  %w[desc homepage version license url sha256].each do |name|
    define_singleton_method(name) { |value| (@said ||= {})[name] = value }
  end
  { macos: 'darwin', linux: 'linux', arm: 'arm64', intel: 'x64' }.each do |name, word|
    define_singleton_method("on_#{name}") { |&block| block.call if $platform.include?(word) }
  end
  def self.test(&block) = @test = block
  def self.said = @said
  %w[bin man1 doc bash_completion fish_completion zsh_completion].each { |name| define_method(name) { Place.new } }
end
load ARGV[0]
Svc.new.install
puts JSON.generate(Svc.said.merge(files: $files))
