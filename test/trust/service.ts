import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Act, type Planned, resetConnection, send, WirePlan } from '../support/wire-plan.ts';
import { readRequest, type WireRecord } from '../support/wire-record.ts';

export type Service = Awaited<ReturnType<typeof testService>>;

/**
 * Starts a service on loopback that does to each request what the running case says; made for many
 * thousands of them. Ends with the running test.
 */
export async function testService() {
  let requests: WireRecord[] = [];
  let connections = 0;
  let act: Act = ({ response }) => send(response, 501, { error: 'nothing is expected' });
  const sockets = new Set<Socket>();
  const server = createServer({ keepAlive: false }, async (incoming, response) => {
    const request = await readRequest(incoming);
    if (request === undefined) return;
    requests.push(request);
    await act({ request, response, socket: incoming.socket });
  });
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  server.on('clientError', (_error, socket) => void socket.destroy());
  const drop = () => {
    for (const socket of sockets) resetConnection(socket);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    drop();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    /** How many connections there were. */
    connections: () => connections,
    /** Everything that came since the last `expect`. */
    get requests(): readonly WireRecord[] {
      return requests;
    },
    /** Forgets what came, and says what is done to the requests from now on. */
    expect(next: Act): void {
      requests = [];
      act = next;
    },
    /** Ends connections that a case has left open. */
    drop,
  };
}

/** What a plan of one exchange does, for any request. */
export function actOf(plan: (plan: WirePlan) => WirePlan): Act {
  const planned: Planned[] = [];
  plan(new WirePlan('', '', planned));
  const [only] = planned;
  if (only === undefined) throw new Error('the plan is empty');
  return only.act;
}
