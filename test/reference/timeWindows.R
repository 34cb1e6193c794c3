# Writes timeWindows.json beside this file: windows of rsample and calendar blocks of warp and lubridate, the references
# of test/splitters/temporal. Run: Rscript test/reference/timeWindows.R (R packages rsample, warp, lubridate, jsonlite)
suppressPackageStartupMessages(library(rsample))

here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))

# One fold as c(trainStart, trainEnd, testStart, testEnd): rows from 0, ends excluded.
bounds <- function(split) {
  ranges <- lapply(list(split$in_id, split$out_id), function(rows) {
    stopifnot(identical(as.integer(rows), seq(min(rows), max(rows))))
    c(min(rows) - 1L, max(rows))
  })
  unlist(ranges)
}

windows <- list()
for (n in c(12, 30, 57)) for (size in c(1, 4, 10)) for (step in c(1, 3, 8)) for (horizon in c(1, 2)) for (gap in c(0, 5)) {
  if (size + gap + horizon > n) next
  slide <- function(lookback, skip) {
    sliding_window(data.frame(row = seq_len(n)), lookback = lookback, assess_start = gap + 1, assess_stop = gap + horizon,
                   step = step, skip = skip)
  }
  windows[[length(windows) + 1]] <- list(
    n = n, size = size, stepSize = step, forecastHorizon = horizon, gap = gap,
    rolling = lapply(slide(size - 1, 0)$splits, bounds),
    expanding = lapply(slide(Inf, size - 1)$splits, bounds)
  )
}

# Times around the ends of years, leap days and the days on which clocks change, and some far apart.
set.seed(1)
utc <- function(text) as.POSIXct(text, tz = "UTC")
times <- sort(unique(c(
  seq(utc("2019-12-27 01:00:00"), utc("2020-01-08"), by = "7 hours"),
  seq(utc("2024-12-28 23:59:59"), utc("2025-01-07"), by = "9 hours"),
  seq(utc("2024-02-27"), utc("2024-03-02"), by = "6 hours"),
  seq(utc("2023-02-27"), utc("2023-03-02"), by = "12 hours"),
  seq(utc("2024-03-30 20:00:00"), utc("2024-04-01 04:00:00"), by = "2 hours"),
  seq(utc("2024-11-02 20:00:00"), utc("2024-11-04 08:00:00"), by = "3 hours"),
  utc(c("1969-12-31 23:59:59", "1970-01-01 00:00:00", "1900-02-28 23:00:00", "1900-03-01 00:00:00")),
  utc(c("2000-02-29", "2100-03-01")),
  as.POSIXct(floor(runif(40, -3e8, 2e9)), origin = "1970-01-01", tz = "UTC")
)))
# Places from 0 at which a block begins that holds times.
starts <- function(period, origin = NULL) {
  block <- warp::warp_distance(times, period, origin = origin)
  which(c(TRUE, diff(block) != 0)) - 1
}
calendar <- list(
  times = format(times, "%Y-%m-%dT%H:%M:%SZ"),
  day = starts("day"),
  week = starts("week", origin = utc("1970-01-05")), # a Monday, as lubridate confirms below
  month = starts("month"),
  year = starts("year")
)
stopifnot(lubridate::isoweek(utc("1970-01-05")) == 2, lubridate::wday(utc("1970-01-05"), week_start = 1) == 1)

# First day and number of weeks of ISO 8601 years.
days <- seq(utc("1949-12-01"), utc("2101-02-01"), by = "1 day")
isoYears <- lapply(1950:2100, function(year) {
  own <- days[lubridate::isoyear(days) == year]
  list(from = format(own[1], "%Y-%m-%d"), weeks = max(lubridate::isoweek(own)))
})

versions <- lapply(c(rsample = "rsample", warp = "warp", lubridate = "lubridate"), function(p) as.character(packageVersion(p)))
versions$R <- paste(R.version$major, R.version$minor, sep = ".")
write(
  jsonlite::toJSON(list(versions = versions, windows = windows, calendar = calendar, isoYears = isoYears), auto_unbox = TRUE),
  file.path(here, "timeWindows.json")
)
