import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import { configDir } from '../../src/store/location.ts';

test.each([
  [{ SVC_CONFIG_DIR: '/srv/svc', XDG_CONFIG_HOME: '/x', HOME: '/home/m' }, 'linux', '/srv/svc'],
  [{ SVC_CONFIG_DIR: 'C:\\svc' }, 'win32', 'C:\\svc'],
  [{ XDG_CONFIG_HOME: '/x', HOME: '/home/m' }, 'linux', '/x/svc'],
  [{ XDG_CONFIG_HOME: '/x', HOME: '/Users/m' }, 'darwin', '/x/svc'],
  [{ XDG_CONFIG_HOME: 'x', HOME: '/home/m' }, 'linux', '/home/m/.config/svc'],
  [{ SVC_CONFIG_DIR: '', XDG_CONFIG_HOME: '', HOME: '/home/m' }, 'linux', '/home/m/.config/svc'],
  [{ HOME: '/Users/m' }, 'darwin', '/Users/m/Library/Application Support/svc'],
  [{ LOCALAPPDATA: 'C:\\Users\\m\\AppData\\Local' }, 'win32', 'C:\\Users\\m\\AppData\\Local\\svc'],
  [{ USERPROFILE: 'C:\\Users\\m', APPDATA: 'C:\\roaming' }, 'win32', 'C:\\Users\\m\\AppData\\Local\\svc'],
])('%j on %s keeps its files in %s', (env, platform, folder) => {
  expect(configDir(env, platform, undefined)).toBe(folder);
});

test('a home that is no absolute path is ignored, never the current folder used', () => {
  for (const HOME of ['', '.', 'home', '~', undefined]) {
    expect(configDir({ HOME }, 'linux', '/home/known')).toBe('/home/known/.config/svc');
    expect(configDir({ HOME }, 'linux', HOME)).toBe(`${userInfo().homedir}/.config/svc`);
  }
});

test.each(['cfg', './cfg', '~/cfg'])('SVC_CONFIG_DIR=%s is refused', (SVC_CONFIG_DIR) => {
  expect(() => configDir({ SVC_CONFIG_DIR, HOME: '/home/m' }, 'linux')).toThrow(
    expect.objectContaining({ message: 'SVC_CONFIG_DIR must be an absolute path.', exitCode: 2 }),
  );
});
