// The line over invented numbers.
import { html, useEffect, useState } from './lib/preact.js';
import { servesSample } from './api.js';

/** True if the numbers are invented; asked again if `place` changes, because collected data may replace them. False until it is known. */
export function useSample(place) {
  const [isSample, setSample] = useState(false);
  useEffect(() => {
    let isWanted = true;
    servesSample().then(
      (found) => isWanted && setSample(found),
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [place]);
  return isSample;
}

export const SAMPLE_TEXT = 'Sample: every number here is invented.';

/** `place`: of `useSample`. Nothing over collected data. */
export function SampleNote({ place }) {
  return useSample(place) ? html`<p class="sample" role="note">${SAMPLE_TEXT}</p>` : null;
}
