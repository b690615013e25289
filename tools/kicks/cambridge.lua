-- Turn Tetriminos by Cambridge: luajit cambridge.lua FOLDER RULESET, then lines as tools/kicks/__main__.py describes.
package.path = arg[1] .. "/?.lua;" .. package.path
love = {math = {}}
config = {gamesettings = {world_reverse = 1}}
function playSE() end

local Piece = require "tetris.components.piece"
local Ruleset = require("tetris.rulesets." .. arg[2])
local ROWS = 24
local rows = {}

local grid = {}
function grid:isOccupied(x, y)
	if x < 0 or x > 9 or y >= ROWS then return true end
	return y >= 0 and math.floor(rows[y] / 2 ^ x) % 2 == 1
end
function grid:canPlacePiece(piece)
	for _, offset in pairs(piece:getBlockOffsets()) do
		if self:isOccupied(piece.position.x + offset.x, piece.position.y + offset.y) then return false end
	end
	return true
end

local function find(shape, facing, cells)
	-- The orientation with these cells, the wanted one if it is one, and where it is.
	for step = 0, 3 do
		local rotation = (facing + step) % 4
		local offsets = Ruleset.block_offsets[shape][rotation + 1]
		for _, first in ipairs(offsets) do
			local x, y = cells[1][1] - first.x, cells[1][2] - first.y
			local all = true
			for _, offset in ipairs(offsets) do
				local there = false
				for _, cell in ipairs(cells) do
					there = there or cell[1] == x + offset.x and cell[2] == y + offset.y
				end
				all = all and there
			end
			if all then return rotation, x, y end
		end
	end
end

for line in io.lines() do
	local words = {}
	for word in line:gmatch("%S+") do words[#words + 1] = word end
	local shape, facing, turn = words[1], tonumber(words[2]), words[3]
	local cells = {}
	for i = 0, 3 do cells[i + 1] = {tonumber(words[4 + 2 * i]), ROWS - 1 - tonumber(words[5 + 2 * i])} end
	for y = 0, ROWS - 1 do rows[ROWS - 1 - y] = tonumber(words[12 + y]) end
	local rotation, x, y = find(shape, facing, cells)
	local piece = Piece(shape, rotation, {x = x, y = y}, Ruleset.block_offsets, 0, 0, "", "", false, false)
	piece.manipulations, piece.rotations, piece.floorkick, piece.lowest_y = 0, 0, 0, -100
	local inputs = {[turn == "1" and "rotate_right" or "rotate_left"] = true}
	local works = pcall(Ruleset.attemptRotate, Ruleset, inputs, piece, grid, false)
	if not works then
		print("error")
	elseif piece.rotation == rotation then
		print("-")
	else
		local answer = {}
		for _, offset in ipairs(piece:getBlockOffsets()) do
			answer[#answer + 1] = (ROWS - 1 - piece.position.y - offset.y) * 10 + piece.position.x + offset.x
		end
		table.sort(answer)
		print(table.concat(answer, " "))
	end
end
