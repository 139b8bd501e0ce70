import { createScreen, type Screen } from './screen.ts';
import type { View } from './terminal.ts';

// The renderer is large, and start-up does not need it: these load it.

/** Draws what `fill` puts on a screen. */
export async function drawScreen(fill: (screen: Screen) => void, view: View): Promise<string> {
  const screen = createScreen();
  fill(screen);
  const { render } = await import('./render.ts');
  return render(screen.blocks, view);
}

/**
 * Loads the renderer while the command waits for its answer: after 10 ms its request has been sent.
 */
export function preloadRenderer(): void {
  setTimeout(() => void import('./render.ts').catch(() => undefined), 10).unref();
}
