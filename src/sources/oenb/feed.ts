// Oesterreichische Nationalbank: one answer with a whole history.
import { wholeFilesFeed } from '../feeds/whole-files.ts';

export const OENB_ADDRESS = 'https://www.oenb.at/isadataservice/data?lang=EN&hierid=11&pos=VDBFKBSC217000';
export const oenbFeed = wholeFilesFeed('oenb', [{ key: 'oenb/VDBFKBSC217000.xml', url: OENB_ADDRESS }]);
