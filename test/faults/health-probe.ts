// Asks /health of the address given, twenty times a second, each time by a connection of its own, and writes a line for each answer: status and milliseconds.
// A process of its own: beside a client that reads exports and asks look-ups in the same one, it would tell how long that client kept it waiting.
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const [, , url] = process.argv;

function asked(): Promise<string> {
  const began = performance.now();
  return new Promise((resolve) => {
    const done = (status: number) => resolve(`${status} ${(performance.now() - began).toFixed(1)}`);
    request(`${url}/health`, { agent: false }, (response) => {
      response.resume();
      response.on('close', () => done(response.complete ? (response.statusCode ?? 0) : 0));
    })
      .on('error', () => done(0))
      .end();
  });
}

for (;;) {
  process.stdout.write(`${await asked()}\n`);
  await pause(50);
}
