import type { View } from '../terminal/capabilities.ts';
import type { Screen } from '../terminal/screen.ts';

/** Explains the keys and the signs. */
export function explainKeys(screen: Screen, { unicode }: View): void {
  const [up, down, left, right] = unicode ? ['↑', '↓', '←', '→'] : ['Up', 'Down', 'Left', 'Right'];
  screen.terms([
    ['1 to 5', 'the last hour, 6 hours, day, week, month'],
    [`${up} ${down}`, 'the series above, below'],
    ['Enter', 'one series on the whole screen, and back'],
    [`Tab ${left} ${right}`, 'another service'],
    ['p', 'pause, and go on'],
    ['r', 'ask again now'],
    ['s', 'save the picture in this folder'],
    ['o', 'open the page of the service'],
    ['R', 'restart the service, after y and Enter'],
    [unicode ? '↑ ↓' : '+ -', 'beside a name: changed since the last answer'],
    ['D R', 'on the time axis: deployed, restarted'],
    ['colours', 'yellow from 70%, red from 90% and for errors'],
  ]);
}
