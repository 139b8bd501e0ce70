import { expect, test } from 'vitest';
import { resolveConfigFolder } from '../../src/store/location.ts';

test.each([
  [{ SVC_CONFIG_DIR: '/srv/svc', XDG_CONFIG_HOME: '/x', HOME: '/home/m' }, 'linux', '/srv/svc'],
  [{ HOME: '/Users/m' }, 'darwin', '/Users/m/Library/Application Support/svc'],
  [
    { USERPROFILE: 'C:\\Users\\m', APPDATA: 'C:\\roaming' },
    'win32',
    'C:\\Users\\m\\AppData\\Local\\svc',
  ],
  // A file with Windows line ends leaves a carriage return.
  [{ SVC_CONFIG_DIR: '/x/d\r' }, 'linux', '/x/d'],
  [{ XDG_CONFIG_HOME: '/x\r' }, 'linux', '/x/svc'],
  [{ HOME: '/home/m\r' }, 'linux', '/home/m/.config/svc'],
  // A home that is no absolute path is ignored, and the current folder never used.
  [{ HOME: '.' }, 'linux', '/home/known/.config/svc'],
  [{ XDG_CONFIG_HOME: 'x', HOME: '/home/m' }, 'linux', '/home/m/.config/svc'],
])('%j on %s keeps its files in %s', (env, platform, folder) => {
  expect(resolveConfigFolder(env, platform, '/home/known')).toBe(folder);
});

test('SVC_CONFIG_DIR has to be absolute', () => {
  const error = { message: 'SVC_CONFIG_DIR must be an absolute path.', exitCode: 2 };
  for (const SVC_CONFIG_DIR of ['cfg', '~/cfg']) {
    expect(() => resolveConfigFolder({ SVC_CONFIG_DIR }, 'linux', '/home/m')).toThrow(
      expect.objectContaining(error),
    );
  }
});
