// Asks /health of the address given, twenty times a second whether or not those before were answered, each time by a connection of its own, and writes a line
// for each answer: status (0 for none) and milliseconds.
// A process of its own: beside a client that reads exports and asks look-ups in the same one, it would tell how long that client kept it waiting.
import { request } from 'node:http';

const [, , url] = process.argv;

const BETWEEN_MS = 50;

function ask(): void {
  const began = performance.now();
  const tell = (status: number) => void process.stdout.write(`${status} ${(performance.now() - began).toFixed(1)}\n`);
  request(`${url}/health`, { agent: false }, (response) => {
    response.resume();
    response.on('close', () => tell(response.complete ? (response.statusCode ?? 0) : 0));
  })
    .on('error', () => tell(0))
    .end();
}

setInterval(ask, BETWEEN_MS);
