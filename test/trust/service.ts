import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Act, type Planned, planFor, resetConnection, send, type WirePlan } from '../support/wire-plan.ts';
import { readRequest, type WireRecord } from '../support/wire-record.ts';

/** A service on loopback that does to each request what the running case says; made for many thousands of them. */
export interface Service {
  readonly url: string;
  readonly port: number;
  /** How many connections there were. */
  connections(): number;
  /** Everything that came since the last `expect`. */
  readonly requests: readonly WireRecord[];
  /** Forgets what came, and says what is done to the requests from now on. */
  expect(act: Act): void;
  /** Ends connections that a case has left open. */
  drop(): void;
}

/** Starts a service that ends with the running test. */
export async function testService(): Promise<Service> {
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
    connections: () => connections,
    get requests() {
      return requests;
    },
    expect(next) {
      requests = [];
      act = next;
    },
    drop,
  };
}

/** What a plan of one exchange does, for any request. */
export function actOf(plan: (plan: WirePlan) => WirePlan): Act {
  const planned: Planned[] = [];
  plan(planFor('', '', planned));
  const [only] = planned;
  if (only === undefined) throw new Error('the plan is empty');
  return only.act;
}
