// The page itself, on data made for it.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openPage, settled } from './open_page.mjs';
import { CLEARANCE, pageText, syntheticBlock } from './synthetic_page.mjs';
import { syntheticPages, tab } from './with_page.mjs';

const { shared, withFile, withPage } = syntheticPages();

describe('the clearance slider', () => {
  it('draws the journal M times as far off as it is, and nothing else at M = 1', () => withPage({}, async (page) => {
    const shift = async (M) => page.evaluate((m) => {
      const viewer = window.freeplayViewer;
      viewer.setTime(0.3);
      viewer.setMagnification(m);
      return { drawn: viewer.drawnPlay('pin'), real: viewer.truePlay('pin'), body: viewer.bodyPosition('crank'), trueBody: viewer.truePosition('crank') };
    }, M);
    const once = await shift(1);
    assert.deepEqual(once.body, once.trueBody);
    assert.ok(Math.abs(Math.hypot(...once.real) - 0.6 * CLEARANCE) < 1e-3 * CLEARANCE);
    const ten = await shift(10);
    assert.ok(Math.abs(ten.drawn[0] - 10 * once.real[0]) < 0.02 * 10 * CLEARANCE && Math.abs(ten.drawn[1] - 10 * once.real[1]) < 0.02 * 10 * CLEARANCE,
      `${ten.drawn} is not ten times ${once.real}`);
    assert.deepEqual(ten.trueBody, once.trueBody);
  }));
  it('moves with the mouse and changes the picture', () => withPage({}, async (page) => {
    await page.evaluate(() => window.freeplayViewer.setTime(0.3));
    const before_ = await page.evaluate(() => window.freeplayViewer.bodyPosition('crank'));
    const box = await page.locator('#clearance').boundingBox();
    await page.mouse.click(box.x + 0.8 * box.width, box.y + box.height / 2);
    await settled(page);
    assert.ok(await page.evaluate(() => window.freeplayViewer.magnification) > 5);
    assert.notDeepEqual(await page.evaluate(() => window.freeplayViewer.bodyPosition('crank')), before_);
  }));
});

describe('impacts', () => {
  // One by one: the contact is held from the first of them on, so that all are one blow (impacts.test.mjs has those).
  const list = async (page) => {
    await tab(page, 'impacts');
    await page.locator('.impacts .toggle', { hasText: 'blows' }).locator('input').uncheck();
  };
  it('a click goes there; the rows before and after are one more click away', () => withPage({}, async (page) => {
    await list(page);
    await page.click('[data-impact="1"]');
    assert.equal(await page.evaluate(() => window.freeplayViewer.time), 0.5);
    await page.click('text=◂ row before');
    assert.ok(Math.abs(await page.evaluate(() => window.freeplayViewer.time) - 0.495) < 1e-9);
    await page.click('text=row after ▸');
    assert.ok(Math.abs(await page.evaluate(() => window.freeplayViewer.time) - 0.505) < 1e-9);
  }));
  it('are sorted by the column that is clicked', () => withPage({}, async (page) => {
    await list(page);
    await page.click('.impact-row.head button:has-text("normal impulse")');
    const order = await page.$$eval('.impact-row:not(.head)', (rows) => rows.map((row) => row.dataset.impact));
    assert.deepEqual(order, ['2', '0', '1']);
  }));
  const cells = (page) => page.$$eval('.impact-row', (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
  it('have the units of the table', () => withPage({}, async (page) => {
    await list(page);
    assert.deepEqual((await cells(page)).slice(0, 2), [
      ['time, s ▴', 'contact', 'normal impulse, N s', 'v before, m/s', 'energy lost, mJ'], ['0.250000', 'pin_1', '1.500', '−1.500', '150.0']]);
  }));
  for (const stop of ['impulse', 'gap', 'force', 'nothing']) {
    it(`at stops of turning joints have units of turning; recorded of the stop: ${stop}`, () => withPage({ stop, impacts: [[0.25, 1.5, 1], [0.5, 0.5, 0]] }, async (page) => {
      await tab(page, 'impacts');
      assert.deepEqual(await cells(page), [
        ['time, s ▴', 'contact', 'normal impulse', 'v before', 'energy lost, mJ'],
        ['0.250000', 'hinge_upper', '1.5 N m s', '−1.5 rad/s', '150.0'], ['0.500000', 'pin_1', '0.5 N s', '−0.5 m/s', '50.0']]);
    }));
  }
  it('at nothing but stops of turning joints have units of turning in the head', () => withPage({ stop: 'impulse', impacts: [[0.25, 1.5, 1]] }, async (page) => {
    await tab(page, 'impacts');
    assert.deepEqual(await cells(page), [
      ['time, s ▴', 'contact', 'normal impulse, N m s', 'v before, rad/s', 'energy lost, mJ'], ['0.250000', 'hinge_upper', '1.500', '−1.500', '150.0']]);
  }));
  it('none: the panel says so', () => withPage({ impacts: [] }, async (page) => {
    await tab(page, 'impacts');
    assert.match(await page.textContent('.impacts'), /No impacts/);
  }));
});

describe('reactions', () => {
  const hint = async (page) => {
    await tab(page, 'reactions');
    return { hint: await page.textContent('.reactions p.hint'), kinds: await page.$$eval('.reactions td.hint', (nodes) => nodes.map((node) => node.textContent)) };
  };
  it('of contacts alone do not speak of axes of joints', () => withPage({}, async (page) => {
    assert.deepEqual(await hint(page), {
      hint: 'Contacts: the force on the first partner (the child of a joint), along the normal and the tangent of the contact. Click a row to draw its curves.',
      kinds: ['contact, normal and tangential'],
    });
  }));
  it('of each kind say what they are', () => withPage({ stop: 'force', spring: true }, async (page) => {
    const { hint: text, kinds } = await hint(page);
    for (const part of [/Joints: what the parent exerts on the child/, /Contacts: the force on the first partner/, /Stops: how hard they push back/, /Springs: positive when they pull/]) assert.match(text, part);
    assert.deepEqual(kinds, ['ideal revolute, force', 'contact, normal and tangential', 'stop of the joint', 'spring, pull']);
  }));
});

describe('hostile names', () => {
  const hostile = '<script>window.broken=1</script><img src=x onerror="window.broken=2">"\'&amp;😀';
  it('are shown as text in every panel', () => withPage({
    title: hostile, body: hostile, joint: `j${hostile}`, contact: `c${hostile}`, text: hostile, status: 'failed', message: hostile,
  }, async (page) => {
    assert.equal(await page.textContent('h1'), hostile);
    await page.click('label:has-text("names")');
    for (const name of ['curves', 'orbits', 'signals', 'impacts', 'reactions', 'energy', 'summary', 'model']) {
      await tab(page, name);
      await settled(page);
    }
    assert.equal(await page.textContent('.model pre'), hostile);
    assert.equal(await page.evaluate(() => window.broken), undefined);
    assert.equal(await page.$$eval('#app script, #app img, #app style', (nodes) => nodes.length), 0);
  }));
  it('of 10 kB are cut with an ellipsis', () => withPage({ title: 'x'.repeat(10000), body: 'b'.repeat(10000), joint: 'j'.repeat(10000) }, async (page) => {
    assert.match(await page.textContent('h1'), /^x{20,100}…$/);
    await page.click('label:has-text("names")');
    await settled(page);
    const longest = await page.evaluate(() => Math.max(...[...document.querySelectorAll('#app *')].filter((n) => n.children.length === 0).map((n) => n.textContent.length)));
    assert.ok(longest <= 400, `${longest} characters in one element`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
  }));
  it('like __proto__ and constructor are names like others', () => withPage({ body: '__proto__', joint: 'constructor' }, async (page) => {
    assert.equal(await page.evaluate(() => window.freeplayViewer.truePlay('constructor').length), 3);
  }));
});

describe('keys', () => {
  it('play, step, go to impacts, and show help', () => withPage({}, async (page) => {
    const time = () => page.evaluate(() => window.freeplayViewer.time);
    await page.keyboard.press('ArrowRight');
    assert.ok(Math.abs(await time() - 0.005) < 1e-9);
    await page.keyboard.press('ArrowLeft');
    assert.equal(await time(), 0);
    await page.keyboard.press('n');
    assert.equal(await time(), 0.25);
    await page.keyboard.press('End');
    assert.equal(await time(), 1);
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    assert.equal(await page.evaluate(() => window.freeplayViewer.playing), true);
    await page.waitForFunction(() => window.freeplayViewer.time > 0);
    await page.keyboard.press('Space');
    assert.equal(await page.evaluate(() => window.freeplayViewer.playing), false);
    await page.keyboard.press('0');
    await page.keyboard.press('ArrowUp');
    assert.equal(await page.evaluate(() => window.freeplayViewer.magnification), 1.25);
    await page.keyboard.press('?');
    assert.match(await page.textContent('.help'), /Clearance magnified/);
    await page.keyboard.press('Escape');
    assert.equal(await page.isVisible('.help'), false);
  }));
  it('typed into the search box are text', () => withPage({}, async (page) => {
    await page.click('.plot-tools .add');
    await page.keyboard.type('energy k');
    assert.equal(await page.evaluate(() => window.freeplayViewer.playing), false);
    assert.deepEqual(await page.$$eval('.picker-list span', (nodes) => nodes.map((n) => n.textContent)), ['energy.kinetic']);
  }));
});

describe('the time cursor', () => {
  const time = (page) => page.evaluate(() => window.freeplayViewer.time);
  const at = async (page, selector, part) => {
    const box = await page.locator(selector).first().boundingBox();
    await page.mouse.click(box.x + part * box.width, box.y + box.height / 2);
  };
  it('is set by a click in a curve, on the timeline and in the scrub bar, and all of them show it', () => withPage({}, async (page) => {
    await at(page, '.u-over', 0.5);
    assert.ok(Math.abs(await time(page) - 0.5) < 0.01);
    await at(page, '.strips-frame', 0.25);
    assert.ok(Math.abs(await time(page) - 0.25) < 0.01);
    await at(page, '.scrub', 0.75);
    assert.ok(Math.abs(await time(page) - 0.75) < 0.08);   // the thumb has a width
    await settled(page);
    for (const frame of ['.u-over', '.strips-frame']) {
      const box = await page.locator(frame).first().boundingBox(), cursor = await page.locator(`${frame} .cursor`).first().boundingBox();
      assert.ok(Math.abs((cursor.x - box.x) / box.width - await time(page)) < 0.02, frame);
    }
  }));
  it('stays within the record', () => withPage({}, async (page) => {
    for (const [wanted, got] of [[-5, 0], [7, 1]]) {
      await page.evaluate((t) => window.freeplayViewer.setTime(t), wanted);
      assert.equal(await time(page), got);
    }
  }));
  it('a zoom of one curve is a zoom of all, and a double click ends it', () => withPage({}, async (page) => {
    const ticks = () => page.evaluate(() => window.freeplayViewer.window);
    const box = await page.locator('.u-over').first().boundingBox();
    await page.mouse.move(box.x + 0.25 * box.width, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.5 * box.width, box.y + 20, { steps: 4 });
    await page.mouse.up();
    const [from, to] = await ticks();
    assert.ok(Math.abs(from - 0.25) < 0.02 && Math.abs(to - 0.5) < 0.02, `${from} to ${to}`);
    await page.locator('.u-over').nth(1).dblclick();
    assert.deepEqual(await ticks(), [0, 1]);
  }));
  it('is set by a click on an orbit', () => withPage({}, async (page) => {
    await page.click('[data-tab="orbits"]');
    await settled(page);
    // At t = 1/12 the journal is at (0, 0.6 c), and so it is a third and two thirds of the time later.
    const box = await page.locator('.orbits canvas').boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height * (0.5 - 0.5 * 0.6 / 1.15));
    const third = (await time(page)) % (1 / 3);
    assert.ok(Math.abs(third - 1 / 12) < 0.01, `${third}`);
  }));
});

describe('the speed', () => {
  for (const to of [1, 2.5, 3, 5, 20]) {
    it(`of a run of ${to} s is one of the menu`, () => withPage({ from: 0, to }, async (page) => {
      assert.notEqual(await page.$eval('.rate select', (node) => node.value), '');
    }));
  }
});

describe('the state of a run', () => {
  it('failed: in red, with its message', () => withPage({ status: 'failed', message: 'the step became too small' }, async (page) => {
    assert.equal(await page.textContent('.badge.bad'), 'failed');
    await tab(page, 'summary');
    assert.match(await page.textContent('.summary'), /This run failed/);
    assert.match(await page.textContent('.bad-text'), /the step became too small/);
  }));
  it('thinned: says how many rows there are', () => withPage({ totalRows: 137601 }, async (page) => {
    assert.equal(await page.textContent('.badge.note'), '201 of 137 601 rows');
  }));
  it('not thinned: no such note', () => withPage({}, async (page) => { assert.equal(await page.$('.badge.note'), null); }));
  it('holes in the numbers (nan, inf) are gaps', () => withPage({ holes: true }, async (page) => {
    // The gap, in the second panel, is constant, so its curve is a level line. Rows 7, 27 and 47 of 200 are +inf, nan, -inf.
    const drawn = await page.evaluate((rows) => {
      const over = document.querySelectorAll('.u-over')[1], canvas = over.parentElement.querySelector('canvas');
      const place = over.getBoundingClientRect(), whole = canvas.getBoundingClientRect(), scale = canvas.width / whole.width;
      const color = getComputedStyle(document.querySelector('.chip')).borderLeftColor.match(/\d+/g).map(Number);
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return rows.map((row) => {
        const x = Math.round((place.left - whole.left + (row / 200) * place.width) * scale);
        let pixels = 0;
        for (let i = 4 * x; i < data.length; i += 4 * canvas.width) if (data[i + 3] > 100 && [0, 1, 2].every((k) => Math.abs(data[i + k] - color[k]) < 60)) ++pixels;
        return pixels > 0;
      });
    }, [3, 7, 12, 27, 37, 47, 52]);
    assert.deepEqual(drawn, [true, false, true, false, true, false, true]);
  }, { viewport: { width: 1900, height: 800 } }));
});

describe('the look', () => {
  it('follows the system and can be turned', () => withPage({}, async (page) => {
    const background = () => page.evaluate(() => window.freeplayViewer.pixels().background);
    const dark = await background();
    assert.ok((dark >> 16) < 60, `background ${dark.toString(16)}`);
    await page.keyboard.press('d');
    assert.ok((await background() >> 16) > 200);
  }, { colorScheme: 'dark' }));
  it('fits a phone', () => withPage({}, async (page) => {
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    const scene = await page.locator('.scene').boundingBox();
    assert.ok(scene.width > 350 && scene.height > 150);
  }, { viewport: { width: 390, height: 800 }, hasTouch: true }));
  it('arrows appear while a contact is closed', () => withPage({}, async (page) => {
    const colors = async (t) => page.evaluate((time) => { window.freeplayViewer.setTime(time); return window.freeplayViewer.pixelsOf('slip'); }, t);
    assert.equal(await colors(0.1), 0);
    assert.ok(await colors(0.4) > 50);
  }));
});

describe('the switch of contacts', () => {
  const box = (page, name) => page.locator('.toggle', { hasText: name }).locator('input');
  const pixels = (page, role = 'slip') => page.evaluate(([t, r]) => { window.freeplayViewer.setTime(t); return window.freeplayViewer.pixelsOf(r); }, [0.4, role]);
  it('takes away points, arrows and normals', () => withPage({}, async (page) => {
    assert.ok(await pixels(page) > 50);
    const all = await page.evaluate(() => window.freeplayViewer.pixels().other);
    await box(page, 'normals').uncheck();
    const bare = await page.evaluate(() => window.freeplayViewer.pixels().other);
    assert.notEqual(all, bare, 'the normals are not drawn');
    await box(page, 'contacts').uncheck();
    assert.equal(await pixels(page), 0);
  }));
  it('draws impulses, at their own scale, where the run recorded no forces', async () => {
    const drawn = {};
    for (const load of ['force', 'impulse']) {
      await withPage({ load }, async (page) => {
        // Surfaces are coloured by forces alone: with and without that choice the controls may be of another height.
        await page.addStyleTag({ content: '.scene-controls { height: 80px; overflow: hidden; }' });
        await settled(page);
        await page.keyboard.press('f');
        drawn[load] = await pixels(page);
      });
    }
    assert.ok(drawn.force > 100 && drawn.impulse === drawn.force, `${drawn.impulse} pixels for impulses, ${drawn.force} for forces`);
  });
  it('says that it has nothing to show where no places were recorded', () => withPage({ placed: false }, async (page) => {
    assert.ok(await box(page, 'contacts').isDisabled());
    assert.match(await page.locator('.toggle', { hasText: 'contacts' }).getAttribute('title'), /did not record .* point_x/);
    assert.equal(await pixels(page), 0);
  }));
});

describe('the place of a contact', () => {
  for (const [what, options] of [
    ['of a joint', {}],
    ['of two shapes, by the first', { contact: 'touch', shapeContact: { name: 'touch', a: 'crank.tip', b: 'ground.floor' } }],
    ['of two shapes, the first of the ground', { contact: 'touch', shapeContact: { name: 'touch', a: 'ground.floor', b: 'crank.tip' } }],
  ]) {
    it(`${what}, goes with the magnified drawing of its body`, () => withPage(options, async (page) => {
      const at = (M) => page.evaluate(([m, name]) => {
        const viewer = window.freeplayViewer;
        viewer.setTime(0.3);
        viewer.setMagnification(m);
        return { point: viewer.contactPlace(name), body: viewer.bodyPosition('crank'), journal: viewer.drawnPlay('pin') };
      }, [M, options.contact ?? 'pin_1']);
      const [once, ten] = [await at(1), await at(10)];
      const apart = (a, b) => Math.hypot(...a.map((x, k) => x - b[k]));
      assert.ok(apart(ten.point, once.point) > 3 * CLEARANCE, `${ten.point} as without magnification`);
      // On a rigid body nothing comes nearer to anything else.
      for (const mark of ['body', 'journal']) {
        assert.ok(Math.abs(apart(ten.point, ten[mark]) - apart(once.point, once[mark])) < 0.02 * CLEARANCE, `not with the ${mark}`);
      }
    }));
  }
});

describe('modes', () => {
  const legend = (page) => page.$$eval('.timeline .legend span:has(i)', (nodes) => nodes.map((node) => node.textContent));
  const arrows = (page) => page.evaluate(() => [0.4, 0.8].map((t) => {
    window.freeplayViewer.setTime(t);
    return Object.fromEntries(['slip', 'stick', 'contact'].map((role) => [role, window.freeplayViewer.pixelsOf(role) > 50]));
  }));
  it('of set-valued integrators are slip and stick', () => withPage({}, async (page) => {
    assert.deepEqual(await legend(page), ['open', 'slip', 'stick', 'impact']);
    assert.deepEqual(await arrows(page), [{ slip: true, stick: false, contact: false }, { slip: false, stick: true, contact: false }]);
  }));
  it('of smooth integrators say that there is contact, and nothing about slip', () => withPage({ modes: 'contact' }, async (page) => {
    assert.deepEqual(await legend(page), ['open', 'in contact', 'impact']);
    const contact = { slip: false, stick: false, contact: true };
    assert.deepEqual(await arrows(page), [contact, contact]);
    await page.keyboard.press('?');
    assert.doesNotMatch(await page.textContent('.help'), /orange/);
  }));
});

describe('the force of a contact', () => {
  // At t = 1/3 the normal is (-1, 0); 50 N along it, 5 N along the tangent.
  for (const [tangent, expected] of [[-90, [-50, 5, 0]], [90, [-50, -5, 0]]]) {
    it(`is normal and tangential part, the tangent turned by ${tangent} degrees`, () => withPage({ tangent, rows: 301 }, async (page) => {
      const force = await page.evaluate(() => { window.freeplayViewer.setTime(1 / 3); return window.freeplayViewer.contactForce('pin_1'); });
      force.forEach((value, k) => assert.ok(Math.abs(value - expected[k]) < 1e-3, `${force} instead of ${expected}`));
    }));
  }
});

describe('the timeline', () => {
  const strips = (page) => page.$$eval('.strip-names div', (nodes) => nodes.map((node) => node.textContent));
  // The k-th other point changes its mode 2 k - 1 times or once more; the first point of the file has three impacts and two changes.
  it('shows the twelve most active contact points, and all on request', () => withPage({ crowd: 20 }, async (page) => {
    const few = Array.from({ length: 12 }, (_, k) => `other_${k + 9}`);
    assert.deepEqual(await strips(page), few);
    assert.match(await page.textContent('.timeline .hint'), /9 more are not shown/);
    await page.click('.timeline .more');
    assert.equal((await strips(page)).length, 21);
    await page.click('.timeline .more');
    assert.deepEqual(await strips(page), few);
  }));
  it('shows all where they are few', () => withPage({ crowd: 11 }, async (page) => {
    assert.equal((await strips(page)).length, 12);
    assert.ok(await page.locator('.timeline .more').isHidden());
  }));
  // Colours of a strip in the middle of its height, at parts of the time.
  const rolesAt = (page, row, parts) => page.evaluate(([r, ps]) => {
    const strips_ = document.querySelector('.strips'), { width } = strips_, scale = width / strips_.clientWidth;
    const canvas = Object.assign(document.createElement('canvas'), { width, height: strips_.height });
    const context = canvas.getContext('2d', { willReadFrequently: true });
    const rgb = (color) => { context.fillStyle = color; context.fillRect(0, 0, 1, 1); return context.getImageData(0, 0, 1, 1).data.join(); };
    const roles = new Map([...document.querySelectorAll('.timeline .key')].map((key) => [rgb(getComputedStyle(key).backgroundColor), key.className.replace('key ', '')]));
    context.drawImage(strips_, 0, 0);
    return ps.map((p) => roles.get(context.getImageData(Math.round(p * width), Math.round((16 * r + 8) * scale), 1, 1).data.join()) ?? 'unknown');
  }, [row, parts]);
  // Two rows only: modes and times are those of the events. The point lands at 0.1 s, sticks from 0.3 s, slides from 0.55 s, turns and lets go at 0.8 s; what
  // `other_1` does after its landing at 0.2 s no event says, and it lets go at 0.4 s.
  const log = [[0.1, 0, 'impact'], [0.1, 0, 'landing'], [0.2, 1, 'landing'], [0.3, 0, 'stick'], [0.4, 1, 'release'], [0.55, 0, 'slip'], [0.7, 0, 'reversal'], [0.8, 0, 'release'], [0.9, 0, 'impact']];
  it('reaches from event to event where the run locates them', () => withPage({ rows: 2, crowd: 1, impacts: [], events: { list: log } }, async (page) => {
    assert.deepEqual(await rolesAt(page, 0, [0.05, 0.09, 0.11, 0.29, 0.31, 0.54, 0.56, 0.79, 0.81, 0.95]),
      ['open', 'open', 'slip', 'slip', 'stick', 'stick', 'slip', 'slip', 'open', 'open']);
    assert.deepEqual(await rolesAt(page, 1, [0.19, 0.21, 0.39, 0.41]), ['open', 'contact', 'contact', 'open']);
    const box = await page.locator('.strips').boundingBox();
    await page.mouse.click(box.x + 0.9 * box.width + 2, box.y + 8);
    assert.equal(await page.evaluate(() => window.freeplayViewer.time), 0.9, 'the mark of an impact that no table has');
  }));
  // At 0, 0.5 and 1 s the modes are open, slip and stick: of the instant where events are located, of the step before elsewhere.
  it('holds the mode of a row where the events are too many for the page', async () => {
    await withPage({ rows: 3, events: { list: [], total: 99999 } }, async (page) => {
      assert.deepEqual(await rolesAt(page, 0, [0.25, 0.75]), ['open', 'slip']);
      assert.equal(await page.evaluate(() => { window.freeplayViewer.setTime(0.75); return window.freeplayViewer.contacts[0].mode; }), 1);
    });
    await withPage({ rows: 3 }, async (page) => {
      assert.deepEqual(await rolesAt(page, 0, [0.25, 0.75]), ['slip', 'stick']);
      assert.equal(await page.evaluate(() => { window.freeplayViewer.setTime(0.75); return window.freeplayViewer.contacts[0].mode; }), 2);
    });
  });
  it('goes to the impact itself where its mark is clicked, on its own row', () => withPage({ crowd: 2 }, async (page) => {
    const box = await page.locator('.strips').boundingBox();
    const click = async (row) => {
      await page.mouse.click(box.x + 0.5 * box.width + 2.5, box.y + 16 * row + 8);
      return page.evaluate(() => window.freeplayViewer.time);
    };
    assert.equal(await click(0), 0.5);
    assert.ok(Math.abs(await click(1) - 0.5) > 1e-4);
  }));
});

describe('the fit of the view', () => {
  const tour = (page) => page.evaluate(() => Array.from({ length: 41 }, (_, i) => {
    window.freeplayViewer.setTime(i / 40);
    return window.freeplayViewer.onScreen(window.freeplayViewer.truePosition('crank'));
  }));
  const followed = (page) => page.inputValue('[aria-label="follow a body"]');
  // The way of 0.28 m is twelve times as large as the ball, and a hundredth of the plate below it.
  it('shows the whole motion of a small part, whatever lies around', () => withPage({ ball: 0.008 }, async (page) => {
    assert.equal(await followed(page), '-1');
    const places = await tour(page);
    for (const [x, y] of places) assert.ok(Math.abs(x) < 0.95 && Math.abs(y) < 0.95, `${[x, y]} is not in the picture`);
    const heights = places.map(([, y]) => y);
    assert.ok(Math.max(...heights) - Math.min(...heights) > 1, 'the motion fills less than half of the picture');
  }));
  it('stays with a part that would be a dot on its way', () => withPage({ ball: 0.008, ways: 20 }, async (page) => {
    assert.equal(await followed(page), '1');
    for (const [x, y] of await tour(page)) assert.ok(Math.abs(x) < 0.5 && Math.abs(y) < 0.5, `${[x, y]} is far from the middle`);
  }));
  // A point on a way of 200 mm that is 2 mm wide: what it does across its way must be seen.
  it('shows a point on a long and thin way from as near as its hops need', () => withPage({ ball: 1e-9, high: 0.01 }, async (page) => {
    assert.equal(await followed(page), '1');
    const [, top] = await page.evaluate(() => { const v = window.freeplayViewer; v.setTime(0); const [x, y, z] = v.truePosition('crank'); return v.onScreen([x, y + 2e-3, z]); });
    const [, middle] = await page.evaluate(() => window.freeplayViewer.onScreen(window.freeplayViewer.truePosition('crank')));
    assert.ok(top - middle > 0.2 && top < 1, `2 mm are ${(top - middle) / 2} of the picture`);
  }));
});

describe('a body of several shapes', () => {
  // The bar from the pin to the centre of mass ends there; the lifter sits on the rim.
  it('has no bar to a shape that another one holds', () => withPage({ drum: true }, async (page) => {
    const isPaper = (place) => page.evaluate((local) => {
      const v = window.freeplayViewer, [r, g, b] = v.colorAt(v.bodyPoint('crank', local));
      return ((r << 16) | (g << 8) | b) === v.pixels().background;
    }, place);
    await page.evaluate(() => { window.freeplayViewer.setTime(0.13); window.freeplayViewer.setMagnification(1); });
    await settled(page);
    assert.deepEqual([await isPaper([0.025, 0.0013, 0]), await isPaper([0.045, 0, 0]), await isPaper([-0.07, 0, 0])], [true, false, false]);
  }));
});

describe('the stops of joints', () => {
  it('are marked where the child ends, on both sides', () => withPage({ stops: { lower: -0.4, upper: 1 } }, async (page) => {
    const { hinge, rail, none } = await page.evaluate(() => ({
      hinge: window.freeplayViewer.stops('hinge'), rail: window.freeplayViewer.stops('rail'), none: window.freeplayViewer.stops('pin'),
    }));
    const angle = (side) => { const { place } = hinge.find((mark) => mark.side === side); return Math.atan2(place[1], place[0]); };
    // The centre of mass lies along x from the hinge; a wall stands a little beyond the angle of its stop.
    assert.ok(angle('lower') < -0.4 && angle('lower') > -0.6, `lower at ${angle('lower')}`);
    assert.ok(angle('upper') > 1 && angle('upper') < 1.2, `upper at ${angle('upper')}`);
    // The slide runs along y, and its circle has a radius of 20 mm.
    for (const [side, y] of [['lower', -0.07], ['upper', 0.09]]) {
      const { place } = rail.find((mark) => mark.side === side);
      assert.ok(Math.hypot(place[0], place[1] - y) < 1e-9, `${side} at ${place}`);
    }
    assert.deepEqual(none, []);
  }));
  it('are not marked where there are none', () => withPage({ stop: 'gap' }, async (page) => {
    assert.deepEqual(await page.evaluate(() => window.freeplayViewer.stops('hinge')), []);
  }));
});

describe('a shape with a turn', () => {
  it('is drawn at the angles of its column, whatever its expression is', () => withPage({ cam: true }, async (page) => {
    const at = (t) => page.evaluate((time) => {
      const viewer = window.freeplayViewer;
      viewer.setTime(time);
      return viewer.drawnTurn('ground.cam');
    }, t);
    const [first, later] = [await at(0), await at(1)];
    assert.equal(first, 0.25);
    assert.equal(later, 1.25);
    assert.deepEqual(await page.evaluate(() => window.freeplayViewer.notes), []);
    assert.equal(await page.evaluate(() => window.freeplayViewer.drawnTurn('ground.floor')), null);
  }));
});

describe('pages without good data', () => {
  const failure = async (data, pattern) => {
    const file = join(shared.folder, 'bad.html');
    writeFileSync(file, pageText(data));
    const { page, close } = await openPage(shared.browser, file);
    await page.waitForSelector('.failure');
    assert.match(await page.textContent('.failure'), pattern);
    await close();
  };
  it('say what is wrong', async () => {
    await failure('FREEPLAY_' + 'DATA', /carries no data/);
    await failure('A'.repeat(400), /cannot be shown/);
  });
});

describe('a served page', () => {
  it('fetches its data, and more rows of a part when one zooms in', async () => {
    const asked = [];
    const server = createServer((request, response) => {
      asked.push(request.url);
      const query = new URL(request.url, 'http://x').searchParams;
      if (!request.url.startsWith('/data')) return response.end(pageText('serve:'));
      const block = query.has('from')
        ? syntheticBlock({ rows: 501, totalRows: 100000, from: Number(query.get('from')), to: Number(query.get('to')) })
        : syntheticBlock({ totalRows: 100000 });
      return response.end(block);
    });
    await new Promise((done) => server.listen(0, '127.0.0.1', done));
    try {
      await withFile(`http://127.0.0.1:${server.address().port}/`, async (page) => {
        assert.ok(asked.includes('/data'));
        const plot = await page.locator('.u-over').first().boundingBox();
        await page.mouse.move(plot.x + 0.4 * plot.width, plot.y + 40);
        await page.mouse.down();
        await page.mouse.move(plot.x + 0.6 * plot.width, plot.y + 45, { steps: 4 });
        await page.mouse.up();
        await page.waitForFunction(() => window.freeplayViewer.detailRows > 0);
        assert.match(asked[asked.length - 1], /^\/data\?from=0\.\d+&to=0\.\d+&rows=\d+$/);
        await page.evaluate(() => window.freeplayViewer.setTime(0.5));
      });
    } finally {
      server.close();
    }
  });
});
